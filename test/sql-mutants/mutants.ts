// Owns the list of mutants: every statement and every migration of both stores, with every cut that can be made in it.
// A mutant is named by its file, its statement and what it lacks.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrationsOf, type StoreName, statementsOf } from '../../scripts/build-sql.ts'
import { type CodeMutant, codeMutantsOf } from './code-mutants.ts'
import { type Cut, cutsOf, nameCutsOf, schemaCutsOf } from './cuts.ts'
import { tokenise } from './tokens.ts'

export interface Statement {
  readonly text: string
  readonly params: readonly string[]
}

interface Named {
  readonly name: string
  readonly store: StoreName
  readonly file: string
}

export interface StatementMutant extends Named {
  readonly kind: 'statement'
  readonly statement: string
  readonly changed: Statement
}

export interface SchemaMutant extends Named {
  readonly kind: 'schema'
  readonly migration: number
  readonly text: string
  /** What is no longer kept: rows of this table, where it is known by its name. */
  readonly table?: string
}

export type SqlMutant = StatementMutant | SchemaMutant
export type Mutant = SqlMutant | CodeMutant

/** With the names of the parameters where the driver wants marks. */
const nameParams = ({ text, params }: Statement): string => {
  let used = 0
  return text.replace(/'(?:[^']|'')*'|\?|\$(\d+)/g, (mark, number?: string) => {
    if (mark.startsWith("'")) return mark
    return `:${number === undefined ? params[used++] : params[Number(number) - 1]}`
  })
}

/** And back: a parameter that is no longer used is no longer bound. */
const bindParams = (text: string, store: StoreName): Statement => {
  const used = tokenise(text)
    .map((token) => token.text)
    .filter((word) => /^:\w/.test(word))
    .map((word) => word.slice(1))
  const params = store === 'sqlite' ? used : [...new Set(used)]
  const bound = text.replace(/'(?:[^']|'')*'|(?<!:):([a-z]\w*)/gi, (mark, name?: string) => {
    if (name === undefined) return mark
    return store === 'sqlite' ? '?' : `$${params.indexOf(name) + 1}`
  })
  return { text: bound, params }
}

const without = (text: string, { from, to, instead }: Cut): string =>
  text.slice(0, from) + instead + text.slice(to)

/** SQLite refuses a named index that a weaker condition cannot use: the hint changes no answer. */
const unhinted = (text: string): string => text.replace(/ indexed by \w+/g, '')

/** The same words cut twice from one statement are told apart by a number. */
const numbered = (mutants: readonly Mutant[]): readonly Mutant[] => {
  const seen = new Map<string, number>()
  return mutants.map((mutant) => {
    const count = (seen.get(mutant.name) ?? 0) + 1
    seen.set(mutant.name, count)
    return count === 1 ? mutant : { ...mutant, name: `${mutant.name} (${count})` }
  })
}

/** What verify looks at: it is judged by the damage that is planted for it. */
const INSPECTION = /^inspect/
/** What people are shown. */
const READING = /^(?:reader|list-\w+)\.ts$/

const STORES = fileURLToPath(new URL('../../src/store/', import.meta.url))

/** The words of a store's modules, but for those that only show. */
const wordsOf = (store: StoreName): ReadonlySet<string> => {
  const folder = `${STORES}${store}/`
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const texts = files.filter((name) => !READING.test(name)).map((name) => readFileSync(folder + name, 'utf8'))
  return new Set(texts.join('\n').match(/\w+/g))
}

/** A statement that decides nothing: of it only what keeps tenants apart is taken away, order and pages are not ours. */
const isDue = (cut: Cut, decides: boolean): boolean => decides || /namespace|tenant/.test(cut.what)

const textsOf = (store: StoreName): ReadonlyMap<string, string> =>
  new Map(statementsOf(store).map(({ name, text }) => [name, text]))
const texts = { sqlite: textsOf('sqlite'), postgres: textsOf('postgres') }

/** What a statement says on disk. */
export const textOf = (store: StoreName, statement: string): string => texts[store].get(statement) ?? ''

const statementMutants = (store: StoreName): readonly StatementMutant[] => {
  const words = wordsOf(store)
  const statements = statementsOf(store).filter(({ file }) => !INSPECTION.test(file))
  return statements.flatMap(({ name: statement, file, text, params }) => {
    const named = nameParams({ text, params })
    const cuts = cutsOf(named).filter((cut) => isDue(cut, words.has(statement)))
    return cuts.map((cut) => ({
      kind: 'statement' as const,
      name: `${store} ${file} ${statement}: ${cut.what}`,
      store,
      file,
      statement,
      changed: bindParams(unhinted(without(named, cut)), store),
    }))
  })
}

const tableOf = ({ what }: Cut): { readonly table?: string } => {
  const table = /[)y] of (\w+) dropped$/.exec(what)?.[1]
  return table === undefined ? {} : { table }
}

const makes = (text: string, table: string | undefined): boolean =>
  table !== undefined && new RegExp(`create table (?:\\w+\\.)?${table} \\(`).test(text)

const schemaMutants = (store: StoreName): readonly SchemaMutant[] =>
  migrationsOf(store).flatMap(({ number, name, text }, migration, all) => {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`
    // Names are the business of the first tables, wherever they are made.
    const names = nameCutsOf(text).filter((cut) => makes(all[0]!.text, tableOf(cut).table))
    // A table that a later migration makes anew is cut there.
    const isLast = (cut: Cut): boolean =>
      !all.slice(migration + 1).some((later) => makes(later.text, tableOf(cut).table))
    const cuts = [...schemaCutsOf(text), ...names].filter(isLast)
    return cuts.map((cut) => ({
      kind: 'schema' as const,
      name: `${store} ${file}: ${cut.what}`,
      store,
      file,
      migration,
      text: without(text, cut),
      ...tableOf(cut),
    }))
  })

export const mutantsOf = (store: StoreName): readonly Mutant[] =>
  numbered([...statementMutants(store), ...schemaMutants(store), ...codeMutantsOf(store)])
