// Owns the file of settings: which file of a directory it is, reading TOML and JSON, and the check that every key of it is
// one we know. A file in TypeScript is loaded by the command line, which alone may run code; its value is checked here too.

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'smol-toml'
import { PawlError } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import { readSetting } from './read-setting.ts'
import { OPEN_SECTIONS, SETTINGS, settingOf } from './settings.ts'

const NAMES = [
  'pawl.config.ts',
  'pawl.config.mts',
  'pawl.config.js',
  'pawl.config.mjs',
  'pawl.toml',
  'pawl.json',
] as const

/** What a program may hold beside data, and only a program: definitions and runners made in code. */
const CODE_KEYS: readonly string[] = ['definitions', 'runners']

export interface FileSettings {
  readonly file: string
  /** By key: `log.level`. */
  readonly values: ReadonlyMap<string, Json>
  /** `services`, `providers` …, as they stand in the file. */
  readonly sections: Readonly<Record<string, JsonObject>>
}

/** The one file of settings in a directory. Two would leave open which one counts. */
export const findConfigFile = (directory: string): string | undefined => {
  const found = NAMES.filter((name) => existsSync(join(directory, name)))
  if (found.length > 1)
    throw new PawlError(
      'settings_invalid',
      `there are ${found.length} files of settings: ${found.join(', ')}`,
      {
        expected: 'one of them, or --config to name it',
      },
    )
  return found[0] === undefined ? undefined : join(directory, found[0])
}

export const isProgram = (file: string): boolean => /\.m?[tj]s$/.test(file)

/** The data of a TOML or JSON file. */
export const readConfigText = (file: string): unknown => {
  const text = readText(file)
  try {
    return file.endsWith('.json') ? JSON.parse(text) : parse(text)
  } catch (error) {
    throw new PawlError('settings_invalid', `${basename(file)} cannot be read: ${firstLine(error)}`, {
      path: file,
      expected: file.endsWith('.json') ? 'JSON' : 'TOML',
    })
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new PawlError('settings_invalid', `${file} cannot be read: ${firstLine(error)}`, { path: file })
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200)

/** Every key checked, every value read. */
export const checkConfig = (file: string, value: unknown): FileSettings => {
  const name = basename(file)
  if (!isObject(value))
    throw new PawlError('settings_invalid', `${name} holds no settings`, {
      path: file,
      expected: 'an object',
    })
  const values = new Map<string, Json>()
  const sections: Record<string, JsonObject> = {}
  for (const [key, entry] of Object.entries(value)) {
    if (key === '$schema' || (CODE_KEYS.includes(key) && isProgram(file))) continue
    if (OPEN_SECTIONS.includes(key)) sections[key] = entry as JsonObject
    else for (const [path, leaf] of leavesOf(key, entry)) keep(values, name, path, leaf)
  }
  return { file, values, sections }
}

const keep = (values: Map<string, Json>, name: string, path: string, leaf: Json): void => {
  const setting = settingOf(path)
  if (setting === undefined) throw unknownKey(name, path)
  values.set(setting.key, readSetting(setting, leaf, `${path} of ${name}`))
}

/** One level of sections: what is deeper is a value, and no setting is an object. */
const leavesOf = (key: string, entry: Json): readonly (readonly [string, Json])[] =>
  isObject(entry)
    ? Object.entries(entry).map(([inner, leaf]) => [`${key}.${inner}`, leaf] as const)
    : [[key, entry]]

const unknownKey = (name: string, path: string): PawlError => {
  const known = [...SETTINGS.map(({ key }) => key), ...OPEN_SECTIONS]
  const suggestion = nearest(path, known)
  return new PawlError('settings_invalid', `${name} sets “${path.slice(0, 80)}”, which is no setting`, {
    path,
    ...(suggestion === undefined ? { expected: '`pawl config print` lists them' } : { suggestion }),
  })
}
