// Owns loading a module and all it imports afresh, with one module replaced. Our own files are evaluated again each
// time, so that tables built at the start of a module see the mutant too; packages are loaded once.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { compile, type Evaluate } from './instrument.ts'

export interface Modules {
  /** Of one of our files, as it was when the modules were created. */
  readonly textOf: (file: string) => string | undefined
  /** Evaluates the entries, in order, over `replaced`. */
  readonly load: (
    entries: readonly string[],
    replaced?: { readonly file: string; readonly evaluate: Evaluate },
  ) => void
}

const isOurs = (specifier: string): boolean => specifier.startsWith('.')

const importsOf = (text: string): readonly string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)

const graphOf = (entries: readonly string[]): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  const visit = (file: string): void => {
    if (texts.has(file)) return
    const text = readFileSync(file, 'utf8')
    texts.set(file, text)
    for (const specifier of importsOf(text).filter(isOurs)) visit(resolve(dirname(file), specifier))
  }
  entries.forEach(visit)
  return texts
}

const loadPackages = async (texts: Iterable<string>): Promise<ReadonlyMap<string, unknown>> => {
  const names = new Set([...texts].flatMap(importsOf).filter((specifier) => !isOurs(specifier)))
  const loaded = await Promise.all([...names].map(async (name) => [name, await import(name)] as const))
  return new Map(loaded)
}

export const createModules = async (
  entries: readonly string[],
  tick: () => void,
  standIns: ReadonlyMap<string, object>,
): Promise<Modules> => {
  const texts = graphOf(entries)
  const packages = new Map([...(await loadPackages(texts.values())), ...standIns])
  const compiled = new Map([...texts].map(([file, text]) => [file, compile(file, text)]))

  return {
    textOf: (file) => texts.get(file),
    load: (wanted, replaced) => {
      const evaluated = new Map<string, object>()
      const evaluate = (file: string): object => {
        const known = evaluated.get(file)
        if (known !== undefined) return known
        const exports = {}
        evaluated.set(file, exports)
        const body = replaced?.file === file ? replaced.evaluate : compiled.get(file)
        if (body === undefined)
          throw new Error(`${file} is imported at run time only, which is not supported here`)
        const folder = dirname(file)
        const require = (specifier: string): unknown =>
          isOurs(specifier) ? evaluate(resolve(folder, specifier)) : packages.get(specifier)
        body(exports, require, tick, { url: pathToFileURL(file).href, filename: file, dirname: folder })
        return exports
      }
      wanted.forEach(evaluate)
    },
  }
}
