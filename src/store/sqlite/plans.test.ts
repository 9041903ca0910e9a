import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Statement, statementsOf } from '../../../scripts/build-sql.ts'
import { fillMany } from '../../../test/sqlite/many-rows.ts'
import { migrations } from './generated/sql.ts'
import { prepareStatements, type Statements } from './statements.ts'

/** A million with `npm run torture`: filling them takes longer than a test should. */
const ROWS = Number(process.env['PAWL_ROWS'] ?? 100_000)
const FEW = 2000

const filled = (rows: number): DatabaseSync => {
  const db = new DatabaseSync(':memory:')
  for (const { text } of migrations) db.exec(text)
  fillMany(db, rows)
  return db
}

const planOf = (db: DatabaseSync, text: string): readonly string[] =>
  db
    .prepare(`explain query plan ${text}`)
    .all()
    .map((row) => String(row['detail']))

const INDEX_OF_KEY = /sqlite_autoindex_|PRIMARY KEY/

const isServed = (plan: readonly string[], index: string): boolean =>
  index.split(', ').every((name) => {
    const used = name === 'primary key' ? INDEX_OF_KEY : new RegExp(`INDEX ${name}\\b`)
    return plan.some((line) => used.test(line))
  })

/** Rows that are no table's: what a statement was given, or has made itself; and a table that never has more than a few. */
const GIVEN = ['busy', 'given', 'recent', 'refs', 'json_each', 'CONSTANT', 'tallies']

/** A walk over a whole table. One over a partial index, which holds only the rows that are meant, is none. */
const isWalk = (line: string, index: string): boolean => {
  const [, table, used] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(line) ?? []
  return table !== undefined && !GIVEN.includes(table) && !index.includes(used ?? '?')
}

const SORTS = [
  ...['deadGroups', 'readAttempts', 'readDefinitions', 'countToPause', 'countToResume'],
  ...['readCounters', 'inspectTenant', 'inspectCounters'],
]

const problemsOf = (db: DatabaseSync, { name, text, index }: Statement): readonly string[] => {
  const plan = planOf(db, text)
  if (plan.length === 0 || index.startsWith('none (')) return []
  return [
    ...(isServed(plan, index) ? [] : [`${name}: not served by ${index}`]),
    ...plan.filter((line) => isWalk(line, index)).map((line) => `${name}: ${line}`),
    ...plan
      .filter((line) => /TEMP B-TREE/.test(line) && !SORTS.includes(name))
      .map((line) => `${name}: ${line}`),
  ]
}

/** The hot statements with the ranges each must read, and nothing beside them. */
const RANGES: readonly (readonly [keyof Statements, ...string[]])[] = [
  ['probeLane', 'actions USING INDEX actions_due (lane=? AND due_at<?)'],
  ['findFence', 'actions USING INDEX sqlite_autoindex_actions_1 (id=?)'],
  ['extendLease', 'actions USING INDEX sqlite_autoindex_actions_1 (id=?)'],
  ['expiredLeases', 'actions USING INDEX actions_leases (lease_until<?)'],
  [
    'dueTimers',
    't USING INDEX timers_due (due_at<?)',
    'e USING COVERING INDEX sqlite_autoindex_executions_1 (namespace=? AND tenant=? AND id=?)',
  ],
  ['waitingEvents', 'inbox USING INDEX inbox_waiting (definition=? AND seq>?)'],
  ['eventsFor', 'inbox USING INDEX inbox_execution (namespace=? AND tenant=? AND execution=?)'],
  [
    'findExecution',
    'executions USING INDEX sqlite_autoindex_executions_1 (namespace=? AND tenant=? AND id=?)',
  ],
  [
    'readHistory',
    'events USING INDEX events_history (namespace=? AND tenant=? AND execution=? AND number>?)',
  ],
  ['readFeed', 'events USING INDEX events_tenant (namespace=? AND tenant=? AND seq>?)'],
  [
    'recentRecurrences',
    'executions USING INDEX executions_recurrences (namespace=? AND tenant=? AND (created_at,id)<(?,?))',
  ],
  [
    'executionsOfStanding',
    'executions USING INDEX executions_standing (namespace=? AND tenant=? AND status=? AND (created_at,id)<(?,?))',
  ],
  ['queuedIds', 'actions USING COVERING INDEX actions_due (lane=?)'],
]

const OF = { namespace: 'default', tenant: 't7' }
const PROBES: Readonly<Record<string, (sql: Statements) => unknown>> = {
  'claim probe': (sql) => sql.probeLane.all({ lane: 21, now: 900_000_000, limit: 4 }),
  'claim probe of a lane with nothing due': (sql) => sql.probeLane.all({ lane: 22, now: -1, limit: 4 }),
  fence: (sql) => sql.findFence.get({ id: 'act_000000000777' }),
  heads: (sql) => sql.heads.all({ now: 900_000_000, bound: 20 }),
  'expired leases': (sql) => sql.expiredLeases.all({ now: 900_000_000, limit: 5 }),
  'due timers': (sql) => sql.dueTimers.all({ now: 900_000_000, limit: 5 }),
  inbox: (sql) => sql.waitingEvents.all({ definition: 'd10', after: 0, limit: 5 }),
  'the inbox from the middle': (sql) => sql.waitingEvents.all({ definition: 'd10', after: 1000, limit: 5 }),
  'what waits for an execution': (sql) => sql.eventsFor.all({ ...OF, execution: 'x57', limit: 5 }),
  'definitions with waiting events': (sql) => sql.waitingDefinitions.all(),
  'an execution, and whether events wait': (sql) => sql.loadExecution.get({ ...OF, id: 'x57' }),
  history: (sql) => sql.readHistory.all({ ...OF, execution: 'x57', after: 0, limit: 5 }),
  feed: (sql) => sql.readFeed.all({ ...OF, after: 100, limit: 5 }),
  'dead letters of a group': (sql) => sql.deadIdsOf.all({ ...OF, fingerprint: 'f0', before: 'b', limit: 5 }),
  'executions of a definition': (sql) =>
    sql.executionsOfDefinition.all({ ...OF, value: 'd7', created_at: 900_000_000, id: '', limit: 5 }),
  'executions of a rare status': (sql) =>
    sql.executionsOfStanding.all({ ...OF, value: 'failed', created_at: 900_000_000, id: '', limit: 5 }),
  'recurrences, among many executions': (sql) =>
    sql.recentRecurrences.all({ ...OF, created_at: 900_000_000, id: '', limit: 5 }),
  'recurrences to be watched': (sql) =>
    sql.watchedRecurrences.all({ ...OF, created_at: 900_000_000, id: '', before: 0, limit: 5 }),
  'done before': (sql) => sql.doneBefore.all({ ...OF, before: 'b', limit: 5 }),
}

/** The best of many, in microseconds: what it costs, not what else the machine did. */
const costOf = (sql: Statements, probe: (sql: Statements) => unknown): number => {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < 60; n++) {
    const begun = performance.now()
    for (let k = 0; k < 5; k++) probe(sql)
    best = Math.min(best, (performance.now() - begun) / 5)
  }
  return best * 1000
}

describe(`EXPLAIN at ${ROWS} rows`, () => {
  let many: DatabaseSync
  let few: DatabaseSync
  beforeAll(() => {
    many = filled(ROWS)
    few = filled(FEW)
  }, 1_800_000)

  it.each(['without statistics', 'with statistics'])(
    'F46: every statement is served by the index it names, %s',
    (when) => {
      if (when === 'with statistics') many.exec('analyze')
      const statements = statementsOf('sqlite')
      expect(statements.flatMap((statement) => problemsOf(many, statement))).toEqual([])
      const texts = new Map(statements.map(({ name, text }) => [name, text]))
      for (const [name, ...ranges] of RANGES)
        expect(
          planOf(many, texts.get(name)!).filter((line) => !line.startsWith('CORRELATED')),
          name,
        ).toEqual(ranges.map((range) => `SEARCH ${range}`))
    },
  )

  it('F46: what a hot statement costs does not grow with the table', () => {
    const [manySql, fewSql] = [prepareStatements(many), prepareStatements(few)]
    const lines = Object.entries(PROBES).map(([name, probe]) => {
      const costs = [costOf(fewSql, probe), costOf(manySql, probe)] as const
      return {
        name,
        text: `${name}: ${costs[0].toFixed(1)} → ${costs[1].toFixed(1)} µs`,
        ratio: costs[1] / costs[0],
      }
    })
    console.log(`${FEW} → ${ROWS} rows\n${lines.map(({ text }) => `  ${text}`).join('\n')}`)
    // Fifty times the rows: a walk would show as fifty, a deeper tree as two or three.
    for (const { text, ratio } of lines) expect(ratio, text).toBeLessThan(12)
  })
})
