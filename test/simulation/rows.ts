// Owns reading the store of a simulated world by SQL, past all of its ports: what the invariants are held against. Rows
// that are only ever added are read once; the others are few.

import type { DatabaseSync } from 'node:sqlite'
import type { ActionPlan } from '../../src/core/action.ts'

export interface LiveRow {
  readonly id: string
  readonly tenant: string
  readonly execution: string | null
  readonly status: 'queued' | 'running' | 'dead' | 'review'
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly token: number
  readonly nonce: string | null
  readonly lease_until: number | null
  readonly cancel_requested: number
  readonly lane: number
  readonly lane_tenant: string
}

export interface DoneRow extends Omit<LiveRow, 'status' | 'nonce' | 'lease_until' | 'cancel_requested'> {
  readonly position: number
  readonly status: 'succeeded' | 'cancelled' | 'skipped' | 'dead' | 'review'
  readonly archived_at: number | null
}

export interface EventRow {
  readonly seq: number
  readonly tenant: string
  readonly execution: string | null
  readonly number: number | null
  readonly type: string
  readonly at: number
  readonly prev_hash: string | null
  readonly hash: string | null
  readonly data: string
}

export interface ExecutionRow {
  readonly tenant: string
  readonly id: string
  readonly status: string
  readonly state: string | null
  readonly revision: number
  readonly visits: string
  readonly pending: string
  readonly error: string | null
  readonly chain_number: number
  readonly chain_hash: string
}

export interface RecurrenceRow
  extends Pick<ExecutionRow, 'tenant' | 'id' | 'status' | 'state' | 'revision' | 'pending'> {
  readonly variables: string
}

export interface OccurrenceRow {
  readonly tenant: string
  readonly recurrence: string
  readonly at: number
  readonly fate: string
  readonly details: string
}

export interface InboxRow {
  readonly tenant: string
  readonly execution: string
  readonly event_id: string
  readonly applied_at: number | null
  readonly held: number
}

export interface TimerRow {
  readonly tenant: string
  readonly execution: string
  readonly key: string
  readonly held: number
}

/** JSON columns carry eight digits of checksum before the JSON. */
export const unsealed = <Value>(text: string): Value => JSON.parse(text.slice(8)) as Value

const COLUMNS = `a.id, a.tenant, a.execution, a.status, a.attempt, a.lost, a.reaps, a.token, a.lane`
const LANE = `l.tenant as lane_tenant`
const TEXTS = [
  'executions',
  'actions',
  'actions_done',
  'attempts',
  'events',
  'inbox',
  'timers',
  'definitions',
  'occurrences',
]

export type Rows = ReturnType<typeof prepareRows>

/** Prepared once for all worlds of a bed. */
export const prepareRows = (db: DatabaseSync) => {
  const changes = db.prepare('select total_changes() as n')
  const live = db.prepare(
    `select ${COLUMNS}, ${LANE}, a.nonce, a.lease_until, a.cancel_requested from actions a left join lanes l on l.lane = abs(a.lane)`,
  )
  const done = db.prepare(
    `select ${COLUMNS}, ${LANE}, a.position, a.archived_at from actions_done a
       left join lanes l on l.lane = abs(a.lane) where position > ? order by position`,
  )
  const events = db.prepare('select * from events where seq > ? order by seq')
  const executions = db.prepare(
    `select tenant, id, status, state, revision, visits, pending, error, chain_number, chain_hash from executions`,
  )
  const recurrences = db.prepare(
    `select tenant, id, status, state, revision, pending, variables from executions where kind = 'recurrence'`,
  )
  const occurrences = db.prepare('select tenant, recurrence, at, fate, details from occurrences')
  const occurrenceCount = db.prepare('select count(*) as n from occurrences')
  const inbox = db.prepare('select tenant, execution, event_id, applied_at, held from inbox')
  const timers = db.prepare('select tenant, execution, key, held from timers')
  const plan = db.prepare(
    'select plan from actions where id = ? union all select plan from actions_done where id = ?',
  )
  const claim = db.prepare(
    'select status, token, nonce, lease_until, execution, tenant from actions where id = ?',
  )
  const execution = db.prepare('select status from executions where tenant = ? and id = ?')
  const pauses = db.prepare(`select tenant, scope, value from pauses`)
  const laneTypes = db.prepare('select type from lanes where lane = ?')
  const damage = db.prepare(`update actions set plan = plan || ' ' where id = ?`)
  const texts = TEXTS.map((table) => db.prepare(`select * from ${table}`))
  const counters = db.prepare(`select tenant, name, sum(value) as value
    from (
      select tenant, name, value from counters
      union all
      select c.value ->> 1, n.key, n.value from tallies t, json_each(substr(t.counts, 9)) c, json_each(c.value, '$[3]') n
    ) group by tenant, name`)
  return {
    /** Grows with every write. */
    changes: (): number => Number(changes.get()!['n']),
    live: () => live.all() as unknown as readonly LiveRow[],
    doneAfter: (position: number) => done.all(position) as unknown as readonly DoneRow[],
    eventsAfter: (seq: number) => events.all(seq) as unknown as readonly EventRow[],
    executions: () => executions.all() as unknown as readonly ExecutionRow[],
    recurrences: () => recurrences.all() as unknown as readonly RecurrenceRow[],
    occurrences: () => occurrences.all() as unknown as readonly OccurrenceRow[],
    occurrenceCount: (): number => Number(occurrenceCount.get()!['n']),
    inbox: () => inbox.all() as unknown as readonly InboxRow[],
    timers: () => timers.all() as unknown as readonly TimerRow[],
    /** A step that is called by the id of its row is not named in it. */
    plan: (id: string) =>
      ({ stepKey: id, ...unsealed<Partial<ActionPlan>>(String(plan.get(id, id)!['plan'])) }) as ActionPlan,
    claim: (id: string) =>
      claim.get(id) as unknown as
        | Pick<LiveRow, 'status' | 'token' | 'nonce' | 'lease_until' | 'execution' | 'tenant'>
        | undefined,
    statusOf: (tenant: string, id: string) => execution.get(tenant, id)?.['status'] as string | undefined,
    pauses: () => pauses.all() as unknown as readonly { tenant: string; scope: string; value: string }[],
    typeOf: (lane: number) => String(laneTypes.get(Math.abs(lane))?.['type']),
    counters: () => counters.all() as unknown as readonly { tenant: string; name: string; value: number }[],
    /** What a bad disk does: the plan no longer fits its checksum. */
    damage: (id: string): void => void damage.run(id),
    /** Every text of every table that holds any. */
    texts: (): string => texts.map((each) => JSON.stringify(each.all())).join('\n'),
  }
}
