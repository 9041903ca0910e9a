import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outputsOf, parseMigration, parseStatements, statementsOf } from '../../../scripts/build-sql.ts'
import { open } from '../../../test/sqlite/bed.ts'
import { migrations, sql } from './generated/sql.ts'
import { dumpSchema } from './schema.ts'

it('the compiled statements and schema.sql are what the .sql files give', async () => {
  const outputs = await outputsOf('sqlite')
  expect(outputs.map(({ path }) => path.replace(/.*\/sqlite\//, ''))).toEqual([
    'generated/sql.ts',
    'schema.sql',
  ])
  for (const { path, text } of outputs) expect(readFileSync(path, 'utf8')).toBe(text)
})

it('schema.sql is the schema of a store that was opened', async () => {
  const { connection } = await open()
  expect(dumpSchema(connection)).toBe(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'))
})

it('migrations are numbered from 1 without a gap', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
})

it('every statement can be prepared, says what it is for, and is grouped with its table', async () => {
  const { connection } = await open()
  const statements = statementsOf('sqlite')
  expect(statements.map(({ name }) => name)).toEqual(Object.keys(sql))
  for (const { name, text, purpose } of statements) {
    expect(() => connection.prepare(text), name).not.toThrow()
    expect(purpose.length, name).toBeGreaterThan(10)
  }
})

describe('build-sql', () => {
  const block = (params: string, body: string) =>
    `-- name: find\n-- Finds one.\n-- in: ${params}\n-- index: primary key\n${body};\n`
  const text = (params: string, body: string, mark = '?') =>
    parseStatements('x.sql', block(params, body), mark)[0]!.text

  it.each([
    ['a, b', 'select :b, :a, :b', 'select ?, ?, ?'],
    ['a', "select ':a', ':x', :a", "select ':a', ':x', ?"],
    ['nothing', 'select 1 -- :not', 'select 1'],
  ])('marks the parameters %s of %s', (params, body, expected) => {
    expect(text(params, body)).toBe(expected)
  })

  it('gives SQLite a name for each use, PostgreSQL a number for each name', () => {
    const [statement] = parseStatements('x.sql', block('a, b', 'select :b, :a, :b'), '?')
    expect(statement!.params).toEqual(['b', 'a', 'b'])
    const [numbered] = parseStatements('x.sql', block('a, b', 'select :b, :a, :b'), '$')
    expect([numbered!.params, numbered!.text]).toEqual([['a', 'b'], 'select $2, $1, $2'])
  })

  it('leaves a cast alone', () => {
    expect(text('ids', 'select :ids::int[]', '$')).toBe('select $1::int[]')
  })

  it.each([
    ['a', 'select 1', /"a" is declared and not used/],
    ['nothing', 'select :b', /":b" is not in its "-- in:" line/],
  ])('refuses parameters %s for %s', (params, body, message) => {
    expect(() => text(params, body)).toThrow(message)
  })

  it('refuses a statement that does not say what it is for', () => {
    expect(() => parseStatements('x.sql', '-- name: find\nselect 1;', '?')).toThrow(/needs a purpose/)
  })

  it('reads the number, the name and the flag of a migration', () => {
    const migration = parseMigration('0007_more_room.sql', '-- breaking: old code cannot read it\nselect 1;')
    expect(migration).toMatchObject({ number: 7, name: 'more_room', breaking: true })
    expect(parseMigration('0007_more_room.sql', 'select 1;').breaking).toBe(false)
    expect(() => parseMigration('7-more.sql', '')).toThrow(/0001_what_it_does/)
  })
})
