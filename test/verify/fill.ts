// A store that has seen a bit of everything, by the real engine: ends of every kind, retries, reviews, pauses, replays,
// archived letters, keys, a claim under way, retention and checkpoints.

import { vi } from 'vitest'
import { z } from 'zod'
import {
  type ActionOptions,
  type DispatchOptions,
  machine,
  Pawl,
  permanent,
  retryable,
  runner,
} from '../../src/index.ts'
import type { Keeper } from '../../src/store/keeper.ts'
import type { Limits } from '../../src/store/limits.ts'
import type { Office } from '../../src/store/office.ts'
import type { OutboxStore } from '../../src/store/outbox.ts'
import type { Reader } from '../../src/store/reader.ts'
import type { Store } from '../../src/store/store.ts'

const NOW: number = Date.parse('2026-01-05T09:00:00.000Z')
const DAY = 86_400_000

const mended = { isMended: false }
const act = runner({
  type: 'act',
  config: z.object({ how: z.string() }),
  execute: ({ config: { how }, ctx }) => {
    if (how === 'flaky' && ctx.attempt < 3) throw retryable('rate_limit', 'throttled')
    if (how === 'dead' || (how === 'mended' && !mended.isMended)) throw permanent('malformed_request', 'no')
    if (how === 'unknown') throw new Error('the line went dead')
    return { how }
  },
})

const OPTIONS: Readonly<Record<string, ActionOptions>> = {
  unknown: { delivery: 'at_most_once' },
  late: { delay: '9d' },
  skipped: { condition: { '==': [1, 2] } },
}

const order = machine({
  id: 'order',
  variables: z.object({ how: z.string(), n: z.number().default(0) }),
  events: { go: z.object({}), note: z.object({}) },
  uses: [act],
  initial: 'begun',
  states: {
    begun: {
      enter: ({ variables: { how } }) => act({ how }, { name: 'first', ...OPTIONS[how] }),
      on: { 'action.succeeded': 'waiting', 'action.failed': 'stuck' },
      after: { '60d': 'over' },
    },
    waiting: {
      on: { go: 'done', note: { internal: true, set: ({ variables }) => ({ n: variables.n + 1 }) } },
      after: { '30d': 'over' },
    },
    stuck: { on: { 'action.succeeded': 'waiting', go: 'done' } },
    over: { final: true },
    done: { final: true },
  },
})

const ticket = machine({
  id: 'ticket',
  initial: 'open',
  states: { open: { after: { '5d': 'shut' } }, shut: { final: true } },
})

/** The actions of no execution, by what became of them. */
export type Names = Readonly<Record<string, string>>

interface Handles {
  readonly store: Store
  readonly reader: Reader
  readonly keeper: Keeper
  readonly office: Office
  readonly limits: Limits
  readonly outbox: OutboxStore
  readonly close: () => Promise<void>
}

const openPawl = (store: string): Promise<Pawl> =>
  Pawl.open({
    store,
    clock: `virtual:${new Date(NOW).toISOString()}`,
    definitions: [order, ticket],
    runners: [act],
    secrets: { env: {} },
    log: () => undefined,
  })

const startAll = async (pawl: Pawl, hows: readonly string[]): Promise<void> => {
  for (const how of hows) await pawl.start(order, { id: how, variables: { how } })
  await pawl.advance({ by: '1m' })
}

const letterOf = async (pawl: Pawl, execution: string): Promise<string> =>
  (await pawl.actions.list({ execution })).data[0]!.id

/** Rows of which retention has taken the oldest. */
const fillOld = async (pawl: Pawl): Promise<void> => {
  await pawl.start(order, { id: 'old', variables: { how: 'ok' } })
  await pawl.start(order, { id: 'stale', variables: { how: 'flaky' } })
  await pawl.dispatch(act({ how: 'ok' }))
  await pawl.advance({ by: '1m' })
  await pawl.send('old', 'note', {}, { id: 'evt_old' })
}

const fillEnds = async (pawl: Pawl): Promise<void> => {
  const hows = ['ok', 'flaky', 'dead', 'unknown', 'skipped', 'late', 'mended']
  await startAll(pawl, hows)
  mended.isMended = true
  await pawl.actions.retry(await letterOf(pawl, 'mended'))
  await pawl.start(order, { id: 'resolved', variables: { how: 'unknown' } })
  await pawl.start(order, { id: 'over', variables: { how: 'ok' } })
  await pawl.advance({ by: '1m' })
  await pawl.actions.resolve(await letterOf(pawl, 'resolved'), { outcome: 'succeeded', result: { ok: true } })
  await pawl.send('ok', 'note', {}, { id: 'evt_1' })
  await pawl.send('ok', 'note', {}, { id: 'evt_1' })
  await pawl.send('ok', 'unheard', {}, { id: 'evt_2' })
  await pawl.send('over', 'go', {}, { id: 'evt_3' })
  await pawl.start(order, { id: 'dropped', variables: { how: 'late' } })
  await pawl.executions.cancel('dropped')
}

const fillStops = async (pawl: Pawl): Promise<void> => {
  await pawl.start(order, { id: 'paused', variables: { how: 'late' } })
  await pawl.executions.pause('paused', 'to see')
  await pawl.send('paused', 'note', {}, { id: 'evt_4' })
  await pawl.start(ticket, { id: 'ticket_1' })
  await pawl.pause({ definition: 'ticket' }, 'to see')
  await pawl.start(ticket, { id: 'ticket_2' })
  await pawl.pause({ type: 'other' }, 'to see')
}

const fillRecurrences = async (pawl: Pawl): Promise<void> => {
  const settings = { cron: '* * * * *', timezone: 'UTC', do: { type: 'act', config: { how: 'ok' } } }
  await pawl.recurring.create({ id: 'minutely', ...settings })
  await pawl.advance({ by: '2m' })
  await pawl.recurring.pause('minutely')
  await pawl.advance({ by: '2m' })
  await pawl.recurring.resume('minutely')
  await pawl.recurring.pause('minutely')
}

const fillQueue = async (pawl: Pawl): Promise<Names> => {
  const put = async (how: string, more: DispatchOptions = {}): Promise<string> =>
    (await pawl.dispatch(act({ how }), more)).id
  const [archived, letter, flaky] = [await put('dead'), await put('dead'), await put('flaky')]
  await pawl.advance({ by: '1m' })
  await pawl.actions.archive(archived)
  const dedup = { key: 'later', while: 'active' } as const
  const later = await put('ok', { delay: '3d', priority: 70, dedup })
  await put('ok', { delay: '3d', dedup })
  const kept = await put('ok', { dedup: { key: 'for', for: '30d' } })
  const gone = await put('ok', { delay: '3d' })
  await pawl.actions.cancel(gone)
  await pawl.advance({ by: '1m' })
  return { archived, letter, flaky, later, kept, gone }
}

/** One action that some worker has, under a lease of the database's clock. */
const claimOne = async ({ store }: Handles, now: number): Promise<void> => {
  const heads = await store.heads({ now })
  const lanes = heads.filter(({ type }) => type === 'held').map(({ lane }) => ({ lane, n: 1 }))
  const request = {
    shares: lanes,
    batch: 1,
    worker: 'w1',
    nonce: 'n1',
    leaseMs: 3_600_000,
    byteBudget: 1e6,
    now,
  }
  await store.claim(request)
}

/** What it runs under. */
const takePlace = async ({ limits }: Handles, id: string, now: number): Promise<void> => {
  const of = { namespace: 'default', tenant: 'default' }
  const candidate = { ...of, id, token: 1, since: now, waits: true }
  await limits.take({ ...of, key: 'action:door' }, [candidate], 1, { now })
}

/** What a person is told of, what was not sent, and what is let alone. */
const keepMore = async ({ store, outbox, limits }: Handles, id: string, now: number): Promise<void> => {
  const of = { namespace: 'default', tenant: 'default' }
  const alert = { id: 'alr_1', type: 'action_failed', severity: 'high', cause: 'f1', details: {} } as const
  const by = { kind: 'alert_acknowledge', alertId: alert.id, by: 'ada' } as const
  await store.commit([{ ...of, at: now, control: [{ kind: 'alert_raise', alert }] }])
  await store.commit([{ ...of, at: now + 1, control: [by] }])
  await outbox.put(of, { id: 'out_1', at: now, type: 'held', action: id, key: 'key_1', content: {} })
  const state = { failures: [], until: now + 60_000, probes: [] }
  const [idleAt, version] = [now + 60_000, 0]
  await limits.swap({ ...of, key: 'breaker:held', version, shut: true, idleAt, state })
  await limits.swap({ ...of, key: 'rate:held', version, shut: false, idleAt, state: { next: now } })
}

/** A fact of the feed that belongs to no chain. Waits until the feed shows it. */
const note = async ({ store, reader }: Handles, type: string, now: number): Promise<void> => {
  const of = { namespace: 'default', tenant: 'default', at: now }
  await store.commit([{ ...of, record: [{ type, at: now, data: { by: 'ada' } }] }])
  await vi.waitUntil(
    async () => (await reader.feed(of, undefined, 1000)).some((row) => row.type === type && row.at === now),
    { timeout: 60_000, interval: 20 },
  )
}

/** PostgreSQL's feed, and so a checkpoint, lag behind the oldest open transaction of the server: this covers all there is. */
const cover = async (handles: Handles, now: number): Promise<void> => {
  await note(handles, 'covered', now)
  await handles.keeper.checkpoint(now)
}

/** One more fact, and checkpoints enough for the last three to be computed again. */
const coverMore = async (handles: Handles, now: number): Promise<void> => {
  await note(handles, 'noted', now)
  for (let more = 1; more <= 3; more++) await handles.keeper.checkpoint(now + more)
}

const held = runner({ type: 'held', config: z.object({}), execute: () => null })

/** `reopen` gives the store itself, while no Pawl has it. */
export const fill = async (url: string, reopen: () => Promise<Handles>): Promise<Names> => {
  mended.isMended = false
  const old = await openPawl(url)
  await fillOld(old)
  await old.close()
  const first = await reopen()
  await cover(first, NOW + DAY)
  await first.close()

  const pawl = await openPawl(url)
  await pawl.advance({ to: NOW + 20 * DAY })
  await pawl.send('old', 'note', {}, { id: 'evt_new' })
  const before = NOW + 10 * DAY
  const second = await reopen()
  const retention = { doneBefore: before, eventsBefore: before, inboxBefore: before, dedupBefore: before }
  while (await second.keeper.prune(retention, 100)) await Promise.resolve()
  await cover(second, NOW + 20 * DAY)
  await second.close()
  await fillEnds(pawl)
  const other = await fillOther(pawl)
  await fillOffice(pawl)
  await fillStops(pawl)
  await fillRecurrences(pawl)
  const queue = await fillQueue(pawl)
  const running = (await pawl.dispatch(held({}))).id
  const now = pawl.now()
  await pawl.close()
  const last = await reopen()
  await claimOne(last, now)
  await takePlace(last, running, now)
  await keepMore(last, running, now)
  await cover(last, now)
  await coverMore(last, now)
  for (const type of ['key.created', 'key.revoked', 'secret.set'])
    await last.office.audit.append(
      { namespace: 'default', tenant: 'default' },
      { type, at: now, data: { by: 'ada' } },
    )
  await last.close()
  return { ...queue, running, other }
}

/** Dead letters that were replayed together, some in vain, and a task for a person. */
const fillOffice = async (pawl: Pawl): Promise<void> => {
  const office = pawl.tenant('office')
  mended.isMended = false
  for (const how of ['dead', 'mended']) await office.dispatch(act({ how }))
  await pawl.advance({ by: '1m' })
  mended.isMended = true
  await office.bulk.replay({})
  await pawl.advance({ by: '1m' })
  await office.dispatch({ type: 'task', config: { title: 'call them' }, options: {} })
  await pawl.advance({ by: '1m' })
}

/** Another tenant has its own, under the same names. */
const fillOther = async (pawl: Pawl): Promise<string> => {
  const other = pawl.tenant('other')
  await other.start(order, { id: 'ok', variables: { how: 'ok' } })
  const { id } = await other.dispatch(act({ how: 'ok' }), { delay: '3d' })
  await pawl.advance({ by: '1m' })
  await other.send('ok', 'note', {}, { id: 'evt_1' })
  return id
}
