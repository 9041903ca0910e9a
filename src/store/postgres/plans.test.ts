import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../../../test/stores/postgres-server.ts'
import { randomText, realTimers } from '../../../test/stores/real-timers.ts'
import { sql } from './generated/sql.ts'
import { openPostgres } from './open.ts'

/** As many rows as make a wrong plan show. */
const ROWS = 100_000
const PER_TENANT = 1000

type Name = keyof typeof sql
type Arguments = Readonly<Record<string, unknown>>

const seed = `
  insert into pawl.lanes (namespace, tenant, type, priority)
    select 'n', 't' || n, 'mail', 50 from generate_series(1, ${ROWS / PER_TENANT}) n;
  insert into pawl.executions (namespace, tenant, id, kind, definition, definition_hash, status, state, revision,
      chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
    select 'n', 't' || (n % 100 + 1), 'x' || n, 'machine', 'd' || (n % 10), 'h', 'active', 's' || (n % 7), 1, 1, 'h', n, n,
      '{}', '{}', '{}' from generate_series(1, ${ROWS}) n;
  insert into pawl.actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
      reaps, token, nonce, lease_until, size, marked, cancel_requested, fingerprint, created_at, finished_at, plan)
    select 'act_' || lpad(n::text, 9, '0'), 'n', 't' || (n % 100 + 1), n % 100 + 1, 'x' || n, 'machine', 'x' || n,
      case when n % 50 = 0 then 'running' when n % 40 = 1 then 'dead' when n % 40 = 2 then 'review' else 'queued' end,
      1000000 + n, 0, 0, 0, 1, 'nonce', 1000000 + n, 300, false, false,
      case when n % 40 in (1, 2) then 'f' || (n % 3) end, n, n, '{"stepKey":"s","type":"mail"}'
    from generate_series(1, ${ROWS}) n;
  insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt,
      lost, reaps, token, size, created_at, finished_at, kept_from, plan)
    select 'old_' || lpad(n::text, 9, '0'), 'n', 't' || (n % 100 + 1), 1, 'x' || n, 'machine', 'x', 'succeeded', n, 1, 0, 0, 1,
      300, n, n, (select floor(extract(epoch from now()) * 1000)) - n, '{}' from generate_series(1, ${ROWS}) n;
  insert into pawl.events (namespace, tenant, execution, number, type, at, prev_hash, hash, data)
    select 'n', 't' || (n % 100 + 1), 'x' || n, 1, 'e', (select floor(extract(epoch from now()) * 1000)) - n, 'p', 'h', '{}'
    from generate_series(1, ${ROWS}) n;
  insert into pawl.inbox (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event)
    select 'n', 't' || (n % 100 + 1), 'x' || n, 'e', 'd' || (n % 10), false, n, case when n % 10 > 0 then n end, '{}'
    from generate_series(1, ${ROWS}) n;
  insert into pawl.timers (namespace, tenant, execution, key, due_at, held, event)
    select 'n', 't' || (n % 100 + 1), 'x' || n, 'k', 1000000 + n, false, '{}' from generate_series(1, ${ROWS}) n;
  insert into pawl.dedup (namespace, tenant, key, action, until)
    select 'n', 't' || (n % 100 + 1), 'k' || n, 'act_' || lpad(n::text, 9, '0'), n from generate_series(1, ${ROWS}) n;
  insert into pawl.attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker)
    select 'act_' || lpad(n::text, 9, '0'), 1, 'n', 't' || (n % 100 + 1), 'failed', 'retry', n, n, 'w'
    from generate_series(1, ${ROWS}) n`

const of = { namespace: 'n', tenant: 't4' }
const listOf = (key: string, values: readonly unknown[]) => ({
  namespaces: ['n'],
  tenants: ['t4'],
  [key]: values,
})
const rows = (row: object): Arguments => ({ rows: JSON.stringify([row]) })
const id = 'act_000000003'
const held = { ...of, execution: 'x3', event_id: 'e', key: 'k', held: true, hold: 'h', applied_at: 1 }
const snapshot = {
  ...of,
  id: 'x3',
  read_revision: 1,
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

/** Every statement of the hot path, and every list. */
const HOT: readonly (readonly [Name, Arguments])[] = [
  [
    'claimActions',
    {
      lanes: [3, 4, 5],
      shares: [10, 10, 10],
      now: 1_050_000,
      batch: 25,
      budget: 1e6,
      lease_ms: 1,
      nonce: 'n',
      worker: 'w',
      lease: null,
    },
  ],
  ['lockActions', { ids: [id, 'act_000000007'] }],
  ['lockExecutions', listOf('ids', ['x3'])],
  ['readExecutions', listOf('ids', ['x3'])],
  ['extendLeases', { ids: ['act_000000050'], tokens: [1], nonces: ['nonce'], lease_ms: 1, lease: null }],
  ['expiredLeases', { lease: 1_000_200, limit: 10 }],
  ['heads', { now: 1_050_000, bound: 200 }],
  ['cancellableActions', listOf('executions', ['x3'])],
  ['executionActions', listOf('executions', ['x3'])],
  ['knownActions', listOf('ids', [id])],
  ['updateActions', rows(settled)],
  ['finishActions', rows({ ...settled, status: 'succeeded' })],
  ['updateExecutions', rows(snapshot)],
  ['restatusExecutions', rows(snapshot)],
  ['parkExecutionActions', rows(held)],
  ['findInbox', { ...listOf('executions', ['x3']), events: ['e'] }],
  ['applyInbox', rows({ ...held, execution: 'x10', tenant: 't11' })],
  ['holdExecutionEvents', rows(held)],
  ['waitingEvents', { definitions: ['d0', 'd1'], limit: 10 }],
  ['findTimers', { ...listOf('executions', ['x3']), keys: ['k'] }],
  ['deleteTimers', rows(held)],
  ['holdExecutionTimers', rows(held)],
  ['dueTimers', { now: 1_000_050, limit: 10 }],
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
  ['executionsOfStatus', { ...of, value: 'active', created_at: 90_000, id: '', limit: 50 }],
  ['executionsOfState', { ...of, value: 's3', created_at: 90_000, id: '', limit: 50 }],
  ['readHistory', { ...of, execution: 'x3', after: 0, limit: 10 }],
  ['readFeed', { ...of, xid: '0', seq: 0, limit: 50 }],
]

const LARGE = /^(actions|actions_done|events|executions|inbox|timers|dedup|attempts)(_|$)/

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What is wrong with a plan, in words. */
const faults = (plan: Node): readonly string[] =>
  nodesOf(plan).flatMap((node) => {
    const table = node['Relation Name'] ?? ''
    if (!LARGE.test(table) || (node['Actual Loops'] ?? 0) === 0) return []
    const what = `${node['Node Type']} on ${table}`
    if (node['Node Type'] === 'Seq Scan') {
      // An empty partition costs nothing to read whole.
      const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
      return read === 0 ? [] : [what]
    }
    const removed = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
    return removed > WASTE ? [`${what}: ${removed} rows read for nothing by ${node.Filter}`] : []
  })

/** A tenant's share of what runs is found among all that run (as many as there are slots): 2 % of the rows here. */
const WASTE = ROWS / 40

let client: pg.Client

beforeAll(async () => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: realTimers })
  await store.close()
  client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const table of ['actions', 'executions', 'inbox', 'timers', 'dedup', 'attempts'])
    await client.query(`alter table pawl.${table} set (autovacuum_enabled = false)`)
  await client.query(seed)
})
afterAll(async () => {
  await client.end()
  await releaseServer()
})

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? `'{${value.join(',')}}'` : pg.escapeLiteral(String(value))
}

/** As the store runs it: prepared, so that the mode of the plan cache decides which plan it gets. */
const explain = async (name: Name, args: Arguments): Promise<Node> => {
  const { text, params } = sql[name]
  const values = params.map((param) => literal(args[param]))
  await client.query(`begin; prepare gate as ${text}`)
  const call = values.length === 0 ? 'gate' : `gate (${values.join(', ')})`
  const { rows: plans } = await client.query(`explain (analyze, format json, timing off) execute ${call}`)
  await client.query('rollback; deallocate gate')
  return plans[0]['QUERY PLAN'][0].Plan
}

const gate = async (): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [name, args] of HOT)
    found.push(...faults(await explain(name, args)).map((fault) => `${name}: ${fault}`))
  return found
}

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
  await client.query('set plan_cache_mode = force_generic_plan')
  expect(await gate()).toEqual([])
})

it.each([1_050_000, null])(
  'the due condition of a claim is an index condition, not a filter (now: %s)',
  async (now) => {
    const [name, args] = HOT[0]!
    const conditions = nodesOf(await explain(name, { ...args, now })).map((node) => node['Index Cond'] ?? '')
    expect(conditions.filter((condition) => condition.includes('due_at <='))).toHaveLength(1)
  },
)
