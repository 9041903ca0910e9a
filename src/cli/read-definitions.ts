// Owns reading definitions from files and directories: JSON and YAML as data, TypeScript as code. All problems of all
// files are gathered before anything is done with any of them.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { PawlError } from '../core/errors.ts'
import { distinctRecurrences } from '../definitions/distinct.ts'
import { linkActions } from '../definitions/link-actions.ts'
import {
  type ParsedAction,
  type ParsedMachine,
  type ParsedRecurrence,
  parseDefinitions,
} from '../definitions/parse.ts'
import type { PlacedProblem, Problem } from '../definitions/problem.ts'
import type { Definition } from '../pawl/known.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { codeIn, loadModule } from './load-module.ts'

export interface ReadDefinitions {
  readonly files: readonly string[]
  /** From data. */
  readonly parsed: readonly (ParsedMachine | ParsedRecurrence)[]
  /** From code. */
  readonly coded: readonly Definition[]
  readonly runners: readonly AnyRunner[]
  readonly problems: readonly (Problem | PlacedProblem)[]
}

const DATA = ['.json', '.yaml', '.yml']
const CODE = ['.ts', '.mts', '.js', '.mjs']
const MAX_FILES = 10_000

const isRead = (name: string): boolean =>
  [...DATA, ...CODE].includes(extname(name)) && !/\.(test|d)\.[mc]?ts$/.test(name) && !name.startsWith('.')

/** Below a directory, in the order of their names; what is hidden or installed is left out. */
const filesIn = (path: string): readonly string[] => {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return filesIn(inner)
      return entry.isFile() && isRead(entry.name) ? [inner] : []
    })
}

const found = (path: string): readonly string[] => {
  try {
    return filesIn(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PawlError('settings_invalid', `there is no ${path}: ${reason}`, {
      path: 'definitions',
      expected: 'a directory or a file of definitions',
    })
  }
}

export const readDefinitions = async (paths: readonly string[], cwd: string): Promise<ReadDefinitions> => {
  const files = [...new Set(paths.flatMap((path) => found(join(cwd, relative(cwd, path)))))]
  if (files.length > MAX_FILES)
    throw new PawlError('settings_invalid', `there are ${files.length} files of definitions`, {
      path: 'definitions',
      expected: `at most ${MAX_FILES}: name a directory that holds nothing else`,
    })
  const read = files
    .filter((file) => DATA.includes(extname(file)))
    .map((file) => parseDefinitions(readFileSync(file, 'utf8'), { file: relative(cwd, file) }))
  const all = read.flatMap(({ definitions }) => definitions)
  const linked = linkActions(
    all.filter((each): each is ParsedMachine => each.kind === 'machine'),
    all.filter((each): each is ParsedAction => each.kind === 'action'),
  )
  const distinct = distinctRecurrences(all)
  const modules = files.filter((file) => CODE.includes(extname(file)))
  const codes = await Promise.all(modules.map(async (file) => codeIn(await loadModule(file))))
  return {
    files,
    parsed: [...linked.machines, ...distinct.recurrences],
    coded: [...new Set(codes.flatMap(({ definitions }) => definitions))],
    runners: [...new Set(codes.flatMap(({ runners }) => runners))],
    problems: [...read.flatMap(({ problems }) => problems), ...linked.problems, ...distinct.problems],
  }
}
