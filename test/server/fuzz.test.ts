// A fuzzer over every route, fed by the shapes the routes themselves describe: whatever comes in, nothing crashes, nothing
// is answered with a failure of the server's own, every refusal is a problem, and what was refused has written nothing:
// all tables are compared before and after.

import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../src/server/route.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { check } from './checked.ts'
import { askAt, startServed } from './served.ts'
import { newStore, STORES } from './stores.ts'

type Dump = () => Promise<string>

const digest = (rows: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('hex')

const dumpSqlite = (url: string): Dump => {
  const db = new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
  onTestFinished(() => db.close())
  const tables = db
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
    .all()
  return async () => digest(tables.map(({ name }) => db.prepare(`select * from ${name}`).all()))
}

const dumpPostgres = async (url: string): Promise<Dump> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'pawl' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const all = rows.map(({ name }) => `select '${name}' as t, row_to_json(x)::text as r from pawl.${name} x`)
  return async () => digest((await client.query(`${all.join(' union all ')} order by 1, 2`)).rows)
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const HOSTILE = [
  ...[
    '',
    ' ',
    '%00',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    "' or 1=1 --",
    '{{secrets.x}}',
    '__proto__',
    'constructor',
  ],
  ...[
    'x'.repeat(300),
    '-1',
    '1e999',
    '9007199254740993',
    '<script>',
    'status:dead',
    '2026-01-01T00:00:00Z',
    '1h',
    '\r\nx: y',
    '☃',
  ],
]
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 20 }), {
  weight: 3,
  arbitrary: fc.constantFrom('a', 'm', 'x'),
})

const anyJson = fc.jsonValue({ maxDepth: 3 })

/** Values as the schema says, mostly. */
const fitting = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting))
  if (schema.type === 'string') return text
  if (schema.type === 'number' || schema.type === 'integer')
    return fc.oneof(fc.integer(), fc.double({ noNaN: true }))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(fitting(schema.items ?? {}), { maxLength: 3 })
  if (schema.properties !== undefined) {
    const { properties, required = [] } = schema
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    // Few at a time: with all of them at once hardly anything would ever be let in.
    return fc
      .subarray(optional, { maxLength: Math.min(2, optional.length) })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries([...required, ...chosen].map((name) => [name, fitting(properties[name]!)])),
        ),
      )
  }
  if (schema.type === 'object') return fc.dictionary(text, anyJson, { maxKeys: 3 })
  return anyJson
}

const schemaOf = (shape: z.ZodType): Schema =>
  z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' }) as Schema

/** The columns of the tables, and names that reach further than a field. */
const FOREIGN = [
  'status',
  'tenant',
  'namespace',
  'attempt',
  'next_at',
  'id',
  'revision',
  'hash',
  'operator',
  'constructor',
  'toString',
]

interface Hostile {
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const bodies = (route: Route): fc.Arbitrary<string | undefined> => {
  if (route.body === undefined) return fc.constantFrom(undefined, '{}', 'x')
  const fit = fitting(schemaOf(route.body))
  const foreign = fc
    .tuple(fit, fc.constantFrom(...FOREIGN), anyJson)
    .map(([value, name, other]) => ({ ...(value as object), [name]: other }))
  return fc.oneof(
    { weight: 6, arbitrary: fit.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: foreign.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fit.map((value) => JSON.stringify(value).slice(0, -1)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const requests = (route: Route): fc.Arbitrary<Hostile> =>
  fc
    .record({
      ids: fc.array(
        text.filter((id) => id !== '' && !/[\ud800-\udfff]/.test(id)),
        { minLength: 3, maxLength: 3 },
      ),
      query: route.query === undefined ? fc.constant({}) : fitting(schemaOf(route.query)),
      extra: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.tuple(text, text) },
      ),
      key: fc.oneof(
        { weight: 5, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
      ),
      body: bodies(route),
    })
    .map(({ ids, query, extra, key, body }) => {
      const left = [...ids]
      const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(left.pop()!))
      const pairs = [...Object.entries(query as object), ...(extra ? [extra] : [])].filter(
        ([, value]) => value !== undefined,
      )
      const safe = (value: unknown): string => String(value).toWellFormed()
      const told = pairs.map(([name, value]): [string, string] => [safe(name), safe(value)])
      const search = new URLSearchParams(told).toString()
      const isSendable = key !== null && /^[\x21-\x7e]+$/.test(key)
      return {
        path: search === '' ? path : `${path}?${search}`,
        body: route.method === 'GET' ? undefined : body?.toWellFormed(),
        headers: isSendable ? { 'idempotency-key': key } : {},
      }
    })

/** One that is let in never ends. */
const ENDLESS = new Set(['stream'])
const SEED = Number(process.env['PAWL_SEED'] ?? 20261116)
const RUNS = Number(process.env['PAWL_FUZZ'] ?? 8)

describe.each(STORES)('%s', (store) => {
  it('every route withstands what it did not ask for', { timeout: 1_200_000 }, async () => {
    const url = await newStore(store)
    const served = await startServed({
      store: url,
      secretsKey: createHash('sha256').update('k').digest('base64'),
    })
    onTestFinished(async () => void (await served.end()))
    const { token } = (await served.ask('POST', '/v1/keys', { json: { name: 'first', scopes: ['admin'] } }))
      .json
    const machine = {
      kind: 'machine',
      id: 'm',
      initial: 'a',
      states: { a: { on: { x: 'b' } }, b: { on: { x: 'a' } } },
    }
    await served.ask('POST', '/v1/definitions', { token, json: machine })
    await served.ask('POST', '/v1/executions', { token, json: { definition: 'm', id: 'x' } })
    const dump = store === 'SQLite' ? dumpSqlite(url) : await dumpPostgres(url)
    const counts = { asked: 0, refused: 0, done: 0, unbuilt: 0 }
    const statuses: Record<number, number> = {}
    let before = await dump()
    const routes = ROUTES.filter(({ operation }) => !ENDLESS.has(operation))
    for (const [index, route] of routes.entries()) {
      await fc.assert(
        fc.asyncProperty(requests(route), async ({ path, body, headers }) => {
          const sending = {
            token,
            headers: { 'content-type': 'application/json', ...headers },
            ...(body !== undefined && { body }),
          }
          const got = await askAt(served.url, route.method, path, sending)
          counts.asked += 1
          statuses[got.status] = (statuses[got.status] ?? 0) + 1
          expect(served.isAlive()).toBe(true)
          if (got.status >= 500) expect([501, got.json?.code], got.text).toEqual([got.status, 'not_built'])
          check(route.method, path, got)
          const after = await dump()
          if (got.status === 501) counts.unbuilt += 1
          else if (got.status >= 400) counts.refused += 1
          else counts.done += 1
          if (got.status >= 400)
            expect(after, `${route.method} ${path} ${body} wrote: ${got.text}`).toBe(before)
          before = after
        }),
        // Each its own: with one seed all routes would be asked the same questions.
        { numRuns: RUNS, seed: SEED + index },
      )
    }
    console.log(`${store}: ${JSON.stringify({ ...counts, statuses })}`)
    expect(counts.refused).toBeGreaterThan(100)
    expect(counts.done).toBeGreaterThan(50)
  })
})
