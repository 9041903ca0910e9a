import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { INSPECTION } from '../../../test/stores/inspect-plans.ts'
import { fillMany, leaveUnswept, RUNNING } from '../../../test/stores/many-rows-postgres.ts'
import { createDatabase, releaseServer, useServer } from '../../../test/stores/postgres-server.ts'
import { randomText, realTimers } from '../../../test/stores/real-timers.ts'
import { TRIAGE } from '../../../test/stores/triage-plans.ts'
import { columnsOf } from './columns.ts'
import { sql } from './generated/sql.ts'
import { BY_INDEX, beginOf, openPostgres, PLANNED_ONCE } from './open.ts'

/** A million with `npm run torture`: making them takes longer than a test should. */
const ROWS = Number(process.env['PAWL_ROWS'] ?? 100_000)

type Name = keyof typeof sql
type Arguments = Readonly<Record<string, unknown>>

const of = { namespace: 'n', tenant: 't4' }
const listOf = (key: string, values: readonly unknown[]) => ({
  namespaces: ['n'],
  tenants: ['t4'],
  [key]: values,
})
const rows = (row: object): Arguments => ({ rows: JSON.stringify([row]) })
const column = (name: Name, row: object): readonly [Name, Arguments] => [name, columnsOf(name, [row])]
const id = 'act_000000003'
const held = { ...of, execution: 'x3', event_id: 'e', key: 'k', held: true, hold: 'h', applied_at: 1 }
const snapshot = {
  ...of,
  id: 'x3',
  read_revision: 1,
  read_status: 'active',
  revision: 2,
  status: 'active',
  definition: 'd3',
  definition_hash: 'h',
  chain_number: 1,
  chain_hash: 'h',
  updated_at: 1,
  visits: {},
  pending: {},
  variables: {},
}
const settled = {
  id,
  status: 'queued',
  due_at: 1,
  attempt: 1,
  lost: 0,
  reaps: 0,
  cancel_requested: false,
  finished_at: 1,
}

const signature = { writer: 'w7', number: 1, epoch: '1', counts: null }

/** Every statement of the hot path, and every list. */
const HOT: readonly (readonly [Name, Arguments])[] = [
  [
    'claimActions',
    {
      lanes: [3, 4, 5],
      shares: [10, 10, 10],
      marks: [-1, 1_000_000, -1],
      passed: ['0', 'act_1', '0'],
      now: 1_050_000,
      batch: 25,
      budget: 1e6,
      lease_ms: 1,
      nonce: 'n',
      worker: 'w',
      lease: null,
      over: ['act_000000050/1'],
    },
  ],
  ['signReceipt', signature],
  ['signGuarded', { ...signature, ...listOf('values', ['lease']), eager: true, scopes: ['definition'] }],
  ['signAlike', { ...signature, ...of, ...columnsOf('insertAlike', [{ ...of, lane: 1, marked: false }]) }],
  ['voidReceipt', { writer: 'w7' }],
  ['foldTallies', { limit: 10 }],
  ['lockActions', { ids: [id, 'act_000000007'] }],
  ['lockExecutions', listOf('ids', ['x3'])],
  ['readExecutions', listOf('ids', ['x3'])],
  ['extendLeases', { ids: ['act_000000050'], tokens: [1], nonces: ['nonce50'], lease_ms: 1, lease: null }],
  ['expiredLeases', { lease: 1_000_200, limit: 10 }],
  ['reviewClaims', { lease: 1_000_200, limit: 10 }],
  ['forgetClaims', { over: ['act_000000050/1'] }],
  ['heads', { now: 1_050_000, bound: 200 }],
  ['cancellableActions', listOf('executions', ['x3'])],
  ['executionActions', listOf('executions', ['x3'])],
  ['knownActions', listOf('ids', [id])],
  column('updateActions', settled),
  column('finishActions', { ...settled, status: 'succeeded' }),
  column('settleActions', { ...settled, ...of, token: 1, nonce: 'n' }),
  column('updateExecutions', snapshot),
  ['restatusExecutions', rows(snapshot)],
  ['parkExecutionActions', rows(held)],
  ['findInbox', { ...listOf('executions', ['x3']), events: ['e'] }],
  column('applyInbox', { ...held, execution: 'x10', tenant: 't11' }),
  ['holdExecutionEvents', rows(held)],
  ['waitingEvents', { definitions: ['d0', 'd1'], after: 0, limit: 10 }],
  ['waitingEvents', { definitions: ['d0'], after: 20_000, limit: 10 }],
  ['eventsFor', { ...of, execution: 'x3', limit: 10 }],
  ['eventsFor', { namespace: 'n', tenant: 't11', execution: 'x10', limit: 10 }],
  ['waitingDefinitions', {}],
  ['findTimers', { ...listOf('executions', ['x3']), keys: ['k'] }],
  column('fireTimers', held),
  column('deleteTimers', held),
  ['holdExecutionTimers', rows(held)],
  ['dueTimers', { now: 1_000_050, limit: 10 }],
  ['comingTimers', { ...of, at: 1_000_000, execution: '', key: '', until: 1_000_900, limit: 10 }],
  ['comingActions', { ...of, at: 1_000_000, id: '', until: 1_000_900, limit: 10 }],
  ['timersOf', { ...of, execution: 'x3' }],
  ['findDedup', listOf('keys', ['k3'])],
  ['releaseDedup', rows({ ...of, key: 'k3', action: id })],
  ['pruneDedup', { before: 100, limit: 10 }],
  ['pruneInbox', { before: 100, limit: 10 }],
  ['readAction', { ...of, id }],
  ['readActions', { ...of, ids: [id] }],
  ['readDone', { ...of, id: 'old_000000003' }],
  ['doneBefore', { ...of, before: 'old_000090000', limit: 50 }],
  ['doneOfExecution', { ...of, execution: 'x3', before: 'z', limit: 50 }],
  ['queuedIds', { lanes: [3, -3], limit: 100 }],
  ['runningIds', { ...of, limit: 10 }],
  ['deadIds', { ...of, limit: 10 }],
  ['deadIdsOf', { ...of, fingerprint: 'f1', before: 'z', limit: 10 }],
  ['executionIds', { ...of, execution: 'x3', limit: 10 }],
  ['deadGroups', { ...of, limit: 10 }],
  ['readAttempts', { ...of, action: id }],
  ['recentExecutions', { ...of, created_at: 90_000, id: '', limit: 50 }],
  ['executionsOfDefinition', { ...of, value: 'd3', created_at: 90_000, id: '', limit: 50 }],
  ['executionsOfStanding', { ...of, value: 'failed', created_at: 90_000, id: '', limit: 50 }],
  ['recentOfStatus', { ...of, value: 'active', created_at: 90_000, id: '', window: 50, limit: 50 }],
  ['recentEnd', { ...of, created_at: 90_000, id: '', before: 0 }],
  ['recentRecurrences', { ...of, created_at: 90_000, id: '', limit: 50 }],
  ['watchedRecurrences', { ...of, created_at: 90_000, id: '', before: 2_000_000, limit: 10 }],
  ['comingRecurrences', { ...of, at: 1_000_000, execution: '', key: '', until: 1_000_900, limit: 10 }],
  ['putOccurrences', rows({ ...of, recurrence: 'y3', at: 3, fate: 'fired', told_at: 1, details: '{}' })],
  ['recentOccurrences', { ...of, recurrence: 'y104', at: 90_000, limit: 10 }],
  ['occurrencesBetween', { ...of, recurrence: 'y104', from: 0, to: 90_000, limit: 10 }],
  ['pruneOccurrences', { before: 100, limit: 10 }],
  ['readHistory', { ...of, execution: 'x3', after: 0, limit: 10 }],
  ['readFeed', { ...of, xid: '0', seq: 0, limit: 50 }],
  ['unparkExecutionActions', rows(held)],
  ['pausedDefinitions', listOf('ids', ['x3'])],
  ['holdEvents', rows({ ...held, execution: 'x10', tenant: 't11' })],
  ['holdTimers', rows(held)],
  ['reviewIds', { ...of, limit: 10 }],
  ['reviewIdsOf', { ...of, fingerprint: 'f2', before: 'z', limit: 10 }],
  ['countRunning', of],
  ['claimedActions', { nonce: 'nonce50' }],
  ['chainHeads', { ...of, id: '', upto: '9223372036854775807', limit: 50 }],
  ['feedSlice', { xid: '0', seq: 0, upto: '9223372036854775807', limit: 50 }],
  ['pruneDone', { before: 0, limit: 50 }],
  ['pruneEvents', { before: 0, limit: 50 }],
  ['listWorkers', { within: 60_000 }],
  ['readSecret', { ...of, name: 'a' }],
  ...INSPECTION,
  ...TRIAGE,
]

/** The first rows in order are wanted, whatever they are. */
const FIRST: readonly Name[] = ['pruneEvents', 'runningBulks', 'untoldAlerts', 'foldTallies']
/** A tenant's share of what runs is found among all that run, and what waits behind what runs: as many as there are slots. */
const AMONG_RUNNING: readonly Name[] = ['runningIds', 'countRunning', 'claimedActions', 'heads']
/** More than a page of rows is never read for one that is wanted, nor more than one each time a key is looked up. */
const SPARE = 10
const PER_ROW = 3

const LARGE =
  /^(receipts|tallies|actions|actions_done|events|executions|inbox|timers|dedup|attempts|occurrences|limits|limit_places|bulk_operations|bulk_items|alerts|tasks|outbox)(_|$)/

const ANALYSED = 'analyze, buffers, format json, timing off'

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly 'TID Cond'?: string
  readonly Filter?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsOf = (node: Node): number => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0)
const wasteOf = (node: Node): number =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0)

/** What is wrong with one way of reading a table, in words. */
const faultsOf = (name: Name, node: Node): readonly string[] => {
  const table = node['Relation Name'] ?? ''
  if (!LARGE.test(table) || (node['Actual Loops'] ?? 0) === 0 || node['Node Type'] === 'ModifyTable')
    return []
  const what = `${name}: ${node['Node Type']} on ${table}`
  const waste = wasteOf(node)
  // An empty partition costs nothing to read whole.
  if (node['Node Type'] === 'Seq Scan') return rowsOf(node) + waste === 0 ? [] : [what]
  const allowed = AMONG_RUNNING.includes(name)
    ? RUNNING
    : SPARE + PER_ROW * rowsOf(node) + (node['Actual Loops'] ?? 0)
  return [
    ...((node['Index Cond'] ?? node['Recheck Cond'] ?? node['TID Cond'] ?? '') === '' && !FIRST.includes(name)
      ? [`${what}: no index condition`]
      : []),
    ...(waste > allowed ? [`${what}: ${waste} rows read for nothing by ${node.Filter}`] : []),
  ]
}

/** Pages are read by rows: a few on the way down an index, then some for each row that was met. */
const pageFaults = (name: Name, plan: Node): readonly string[] => {
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  const met = nodesOf(plan)
    .filter((node) => LARGE.test(node['Relation Name'] ?? ''))
    .reduce((sum, node) => sum + rowsOf(node) + wasteOf(node) + (node['Actual Loops'] ?? 0), 0)
  return pages > 200 + 12 * met ? [`${name}: ${pages} pages for ${met} rows`] : []
}

const faults = (name: Name, plan: Node): readonly string[] => [
  ...nodesOf(plan).flatMap((node) => faultsOf(name, node)),
  ...pageFaults(name, plan),
]

let client: pg.Client
/** Has prepared every statement while the store was new and empty. */
let early: pg.Client

const connect = async (url: string): Promise<pg.Client> => {
  const one = new pg.Client({ connectionString: url })
  await one.connect()
  return one
}

beforeAll(async () => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: realTimers })
  await store.close()
  client = await connect(url)
  await leaveUnswept(client)
  early = await connect(url)
  await early.query(`${BY_INDEX}; ${PLANNED_ONCE}`)
  for (const [place, [name, args]] of HOT.entries()) {
    await early.query(`prepare standing_${place} as ${textOf(name)}`)
    await explainCall(early, callOf(`standing_${place}`, name, args), 'format json')
  }
  pooled.push(...(await wholeTables()))
  await fillMany(client, ROWS)
}, 1_800_000)
afterAll(async () => {
  await client.end()
  await early.end()
  await releaseServer()
})

/** What reads a table as a whole, planned anew in a transaction as it begins behind a pooler. */
const pooled: string[] = []
const wholeTables = async (): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [name, args] of HOT) {
    await client.query(`prepare gate as ${textOf(name)}`)
    const begin = beginOf({ synchronous: 'on' }, true)
    const plan = await explainCall(client, callOf('gate', name, args), 'format json', begin)
    await client.query('deallocate gate')
    for (const node of nodesOf(plan))
      if (node['Node Type'] === 'Seq Scan' && LARGE.test(node['Relation Name'] ?? ''))
        found.push(`${name} on ${node['Relation Name']}`)
  }
  return found
}

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? `'{${value.join(',')}}'` : pg.escapeLiteral(String(value))
}

/** One that undoes the whole when it changed too few is explained without that. */
const textOf = (name: Name): string =>
  sql[name].text.replace(/1 \/ (\(count.*\))::int as whole/, '$1 as whole')

const callOf = (prepared: string, name: Name, args: Arguments): string => {
  const values = sql[name].params.map((param) => literal(args[param]))
  return values.length === 0 ? prepared : `${prepared} (${values.join(', ')})`
}

const explainCall = async (on: pg.Client, call: string, how = ANALYSED, begin = 'begin'): Promise<Node> => {
  await on.query(begin)
  const { rows: plans } = await on.query(`explain (${how}) execute ${call}`)
  await on.query('rollback')
  return plans[0]['QUERY PLAN'][0].Plan
}

/** As the store runs it: prepared, so that the mode of the plan cache decides which plan it gets. */
const explain = async (name: Name, args: Arguments): Promise<Node> => {
  await client.query(`prepare gate as ${textOf(name)}`)
  const plan = await explainCall(client, callOf('gate', name, args))
  await client.query('deallocate gate')
  return plan
}

const gate = async (): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [name, args] of HOT) found.push(...faults(name, await explain(name, args)))
  return found
}

/** What every step and every claim looks for by its key, and the one index each may use. */
const BY_KEY: readonly Name[] = [
  'claimActions',
  'extendLeases',
  'lockActions',
  'lockExecutions',
  'readExecutions',
  'knownActions',
  'updateActions',
  'finishActions',
  'updateExecutions',
  'findInbox',
  'applyInbox',
  'findTimers',
  'fireTimers',
  'deleteTimers',
  'findDedup',
]
const KEYS = /_pkey$|^actions_due$|^inbox_execution$/

it('a plan made while the store was new goes by key: it is kept while the tables grow', async () => {
  const found: string[] = []
  for (const [place, [name, args]] of HOT.entries())
    if (BY_KEY.includes(name))
      for (const node of nodesOf(
        await explainCall(early, callOf(`standing_${place}`, name, args), 'format json'),
      )) {
        // By its place in the table is fine; by a bitmap rows are locked in no order.
        const isScan = /(?<!^Tid )Scan$/.test(node['Node Type'])
        const table = node['Relation Name'] ?? node['Index Name'] ?? ''
        if (isScan && LARGE.test(table) && !KEYS.test(node['Index Name'] ?? ''))
          found.push(`${name}: ${node['Node Type']} ${node['Index Name'] ?? ''} on ${table}`)
      }
  expect(found).toEqual([])
})

it('behind a pooler a transaction reads no table as a whole, not even when the store is new', () => {
  expect(pooled).toEqual([])
})

it(`and every other one reads by index too, once there are ${ROWS} rows and no statistics`, async () => {
  const found: string[] = []
  for (const [place, [name, args]] of HOT.entries())
    found.push(...faults(name, await explainCall(early, callOf(`standing_${place}`, name, args))))
  expect(found).toEqual([])
})

it(`every hot statement reads by index, without statistics, over ${ROWS} rows`, async () => {
  const { rows: known } = await client.query(
    "select 1 from pg_stats where schemaname = 'pawl' and tablename = 'actions'",
  )
  expect(known).toEqual([])
  expect(await gate()).toEqual([])
})

it('and with statistics', async () => {
  await client.query('analyze')
  expect(await gate()).toEqual([])
})

it('and as a plan made once for all values', async () => {
  await client.query(PLANNED_ONCE)
  expect(await gate()).toEqual([])
})

it.each([1_050_000, null])(
  'the mark and the due condition of a claim are index conditions, not filters (now: %s)',
  async (now) => {
    const [name, args] = HOT[0]!
    const conditions = nodesOf(await explain(name, { ...args, now })).map((node) => node['Index Cond'] ?? '')
    const isMarked = (condition: string): boolean =>
      condition.includes('ROW(due_at, id) > ROW') && condition.includes('due_at <=')
    expect(conditions.filter(isMarked)).toHaveLength(1)
  },
)
