// Compiles the .sql files of a store into its generated/sql.ts, so that the package ships statements and migrations as
// a module and every statement is called by name with the parameters it declares. `--check` writes nothing and fails
// when a file on disk differs from what its sources give.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sha256Hex } from '../src/core/hash.ts'
import { loadSqlite } from '../src/store/sqlite/driver.ts'
import { dumpSchema } from '../src/store/sqlite/schema.ts'

export interface Statement {
  readonly name: string
  readonly file: string
  readonly purpose: string
  /** As the driver wants their values. */
  readonly params: readonly string[]
  /** Which index serves it, or why none does. */
  readonly index: string
  readonly text: string
}

interface Migration {
  readonly number: number
  readonly name: string
  readonly breaking: boolean
  readonly checksum: string
  readonly text: string
}

/** How a store marks a parameter. */
const MARKS = { sqlite: '?', postgres: '$' }
export type StoreName = keyof typeof MARKS

const STORES = fileURLToPath(new URL('../src/store/', import.meta.url))

const sqlFiles = (folder: string): readonly { readonly name: string; readonly text: string }[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.sql'))
        .sort()
        .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
    : []

/** Strings and comments may hold a colon that is no parameter; `::type` is a cast. */
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|(?<!:):([a-z]\w*)/gi

type Declared = Omit<Statement, 'text'>

/**
 * PostgreSQL numbers its parameters as they are declared. SQLite gets a plain `?` for each use, and the names in the
 * order of their uses: node:sqlite of Node 22 binds numbered ones by name only.
 */
const bind = (declared: Declared, body: string, mark: string): Pick<Statement, 'params' | 'text'> => {
  const used: string[] = []
  const text = body.replace(TOKEN, (token, param?: string) => {
    if (param === undefined) return token.startsWith('--') ? '' : token
    used.push(param)
    return mark === '?' ? mark : `${mark}${declared.params.indexOf(param) + 1}`
  })
  const wrong = used.find((param) => !declared.params.includes(param))
  const unused = declared.params.find((param) => !used.includes(param))
  if (wrong !== undefined) throw new Error(`${declared.name}: ":${wrong}" is not in its "-- in:" line`)
  if (unused !== undefined) throw new Error(`${declared.name}: "${unused}" is declared and not used`)
  return { params: mark === '?' ? used : declared.params, text: text.trim().replace(/;$/, '') }
}

const HEAD = /^-- name: (\w+)\n((?:-- .*\n)+?)-- in: (.*)\n-- index: (.*)\n/

export const parseStatements = (file: string, source: string, mark: string): readonly Statement[] =>
  source
    .split(/^(?=-- name: )/m)
    .filter((block) => block.startsWith('-- name: '))
    .map((block) => {
      const head = HEAD.exec(block)
      if (head === null)
        throw new Error(`${file}: ${block.split('\n')[0]} needs a purpose, "-- in:" and "-- index:"`)
      const statement = {
        name: head[1]!,
        file,
        purpose: head[2]!.replace(/^-- /gm, '').trim(),
        params: head[3] === 'nothing' ? [] : head[3]!.split(', '),
        index: head[4]!,
      }
      return { ...statement, ...bind(statement, block.slice(head[0].length), mark) }
    })

export const statementsOf = (store: StoreName): readonly Statement[] => {
  const statements = sqlFiles(`${STORES}${store}/sql`).flatMap(({ name, text }) =>
    parseStatements(name, text, MARKS[store]),
  )
  const names = statements.map((statement) => statement.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${store}: two statements are called ${twice}`)
  return statements
}

export const parseMigration = (file: string, text: string): Migration => {
  const parts = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file)
  if (parts === null) throw new Error(`${file}: a migration is called 0001_what_it_does.sql`)
  return {
    number: Number(parts[1]),
    name: parts[2]!,
    breaking: /^-- breaking\b/m.test(text),
    checksum: sha256Hex(text),
    text,
  }
}

const literal = (text: string): string => `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``

const statementSource = ({ name, params, text }: Statement): string => {
  const list = `[${params.map((param) => `'${param}'`).join(', ')}]`
  const wrapped = `[\n${params.map((param) => `      '${param}',\n`).join('')}    ]`
  const fits = `    params: ${list},`.length <= 110
  return `  ${name}: {\n    params: ${fits ? list : wrapped},\n    text: ${literal(text)},\n  },\n`
}

const migrationSource = ({ number, name, breaking, checksum, text }: Migration): string =>
  `  {\n    number: ${number},\n    name: '${name}',\n    breaking: ${breaking},\n    checksum: '${checksum}',\n    text: ${literal(text)},\n  },\n`

export const migrationsOf = (store: StoreName): readonly Migration[] =>
  sqlFiles(`${STORES}${store}/migrations`).map(({ name, text }) => parseMigration(name, text))

const compile = (store: StoreName): string =>
  [
    '// Generated by scripts/build-sql.ts from sql/*.sql and migrations/*.sql. Change those, then run it.\n\n',
    'export const sql = {\n',
    ...statementsOf(store).map(statementSource),
    '} as const\n\nexport const migrations = [\n',
    ...migrationsOf(store).map(migrationSource),
    '] as const\n',
  ].join('')

interface Output {
  readonly path: string
  readonly text: string
}

/** What the migrations of SQLite make, read back. PostgreSQL's dump needs a server: its own test writes it. */
const sqliteSchema = async (): Promise<string> => {
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(':memory:')
  for (const { text } of migrationsOf('sqlite')) db.exec(text)
  return dumpSchema(db)
}

/** Every file this script writes for a store. */
export const outputsOf = async (store: StoreName): Promise<readonly Output[]> => [
  { path: `${STORES}${store}/generated/sql.ts`, text: compile(store) },
  ...(store === 'sqlite' ? [{ path: `${STORES}sqlite/schema.sql`, text: await sqliteSchema() }] : []),
]

const main = async (args: readonly string[]): Promise<void> => {
  const stores = (Object.keys(MARKS) as StoreName[]).filter((store) => existsSync(`${STORES}${store}/sql`))
  for (const { path, text } of (await Promise.all(stores.map(outputsOf))).flat()) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    if (args.includes('--check')) {
      console.error(`${path} differs from its .sql files: run node scripts/build-sql.ts`)
      process.exitCode = 1
    } else writeFileSync(path, text)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2))
