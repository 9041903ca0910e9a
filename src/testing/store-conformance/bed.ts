// What a case stands on: the ports of a new, empty store, and the few sentences that every case speaks. The suite
// knows nothing of a store but this; whoever runs it says how one is opened.

import type { HealthStore } from '../../store/health.ts'
import type { Keeper } from '../../store/keeper.ts'
import type { Limits } from '../../store/limits.ts'
import type { Occurrences } from '../../store/occurrences.ts'
import type { Office } from '../../store/office.ts'
import type { OutboxStore } from '../../store/outbox.ts'
import type { ActionRow, Reader } from '../../store/reader.ts'
import type {
  Advance,
  Claim,
  ClaimedAction,
  Clocks,
  Control,
  Member,
  NewAction,
  Result,
  Settle,
  Store,
  StoredExecution,
  Tenancy,
} from '../../store/store.ts'
import type { Tasks } from '../../store/tasks.ts'
import type { TemplateStore } from '../../store/templates.ts'
import type { Triage } from '../../store/triage.ts'
import type { Vault } from '../../store/vault.ts'
import type { Workers } from '../../store/workers.ts'
import { same, sound } from './check.ts'
import { action, advance, LEASE_MS, NOW, OF, settled } from './members.ts'

export interface Ports {
  readonly store: Store
  readonly reader: Reader
  readonly keeper: Keeper
  readonly vault: Vault
  readonly office: Office
  readonly workers: Workers
  readonly limits: Limits
  readonly tasks: Tasks
  readonly templates: TemplateStore
  readonly occurrences: Occurrences
  readonly outbox: OutboxStore
  readonly health: HealthStore
  readonly triage: Triage
}

/** A row by what names it, of which the part that holds JSON can be spoilt. */
export interface Spoilt {
  readonly table: 'actions' | 'events' | 'executions' | 'inbox' | 'timers'
  /** The action, the execution, the event id or the timer's key; of the feed, the type. */
  readonly name: string
  /** The whole row is taken away. */
  readonly isGone?: true
}

export interface Opened extends Ports {
  /** Behind the store's back: the row is there and cannot be read any more. */
  readonly spoil: (row: Spoilt) => Promise<void>
  /** The ports of another process on the same store; the same ones where there can be no other. */
  readonly another: () => Promise<Ports>
  /** Inside a transaction of the caller's own: committed when the work returns, rolled back when it throws. */
  readonly transact: <Value>(work: (commit: Store['commit']) => Promise<Value>) => Promise<Value>
}

export interface Bed extends Opened {
  /** A batch of one, at NOW, for OF. */
  readonly commit: (member: Partial<Member>) => Promise<Result>
  /** The same, and it must be ok. */
  readonly ok: (member: Partial<Member>) => Promise<Result>
  readonly control: (control: Control, of?: Tenancy) => Promise<Result>
  readonly start: (id: string, over?: Partial<Advance>, of?: Tenancy) => Promise<Result>
  /** Advances an execution from where it stands. */
  readonly step: (id: string, over?: Partial<Advance>, rest?: Partial<Member>) => Promise<Result>
  readonly enqueue: (...actions: readonly (string | NewAction)[]) => Promise<Result>
  /** Everything due, in the order of the lanes. */
  readonly claim: (nonce?: string, clocks?: Clocks) => Promise<readonly ClaimedAction[]>
  /** A new action, claimed. */
  readonly claimed: (id: string, over?: Partial<NewAction['plan']>) => Promise<ClaimedAction>
  readonly settle: (
    claim: Claim,
    over?: Partial<Settle['settlement']>,
    more?: Partial<Settle>,
  ) => Promise<Result>
  readonly action: (id: string, of?: Tenancy) => Promise<ActionRow>
  readonly execution: (id: string, of?: Tenancy) => Promise<StoredExecution>
  /** Until the feed shows what was committed so far: it waits for transactions that are still open elsewhere. */
  readonly caughtUp: () => Promise<void>
}

const AT_ONCE = 1000
const BYTES = 64_000_000

/** Everything due, readable or not. */
export const claimAll = async (
  store: Store,
  nonce = 'nonce',
  clocks: Clocks = { now: NOW, lease: NOW },
): ReturnType<Store['claim']> => {
  const heads = await store.heads(clocks)
  const shares = heads.filter(({ paused }) => !paused).map(({ lane }) => ({ lane, n: AT_ONCE }))
  const request = { shares, batch: AT_ONCE, worker: 'w1', nonce, leaseMs: LEASE_MS, byteBudget: BYTES }
  return store.claim({ ...request, ...clocks })
}

/** Nobody's: a fact in its feed says that the feed has come this far. */
const PROBE: Tenancy = { namespace: 'probe', tenant: 'probe' }
/** Only against looking for ever: a transaction elsewhere may stay open for many seconds. */
const LOOKS = 1_000_000

const catchUp = async ({ store, reader }: Ports): Promise<void> => {
  const known = await reader.feed(PROBE, undefined, 250)
  await store.commit([{ ...PROBE, at: NOW, record: [{ type: 'probed', at: NOW, data: {} }] }])
  for (let look = 0; look < LOOKS; look++) {
    if ((await reader.feed(PROBE, known.at(-1)?.cursor, 1)).length > 0) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('the feed does not show what was committed')
}

const found = <Row>(row: Row | undefined, id: string): Row => {
  if (row === undefined) throw new Error(`${id} is not there`)
  return row
}

export const makeBed = (opened: Opened): Bed => {
  const { store, reader } = opened
  const commit: Bed['commit'] = async (member) =>
    found((await store.commit([{ ...OF, at: NOW, lease: NOW, ...member }]))[0], 'a result')
  const ok: Bed['ok'] = async (member) => {
    const result = await commit(member)
    if (result.status !== 'ok') same({ ...result, error: String(result.error) }, { status: 'ok' }, 'a commit')
    return result
  }
  const claim: Bed['claim'] = async (nonce, clocks) => sound(await claimAll(store, nonce, clocks))
  const execution: Bed['execution'] = async (id, of = OF) => found(await reader.execution(of, id), id)
  return {
    ...opened,
    commit,
    ok,
    control: (control, of = OF) => commit({ ...of, control: [control] }),
    start: (id, over, of = OF) => ok({ ...of, advance: advance(id, over, of) }),
    step: async (id, over, rest) => {
      const { execution: before, revision, chain } = await execution(id)
      return commit({
        ...rest,
        advance: advance(id, { execution: before, was: before.status, expected: revision, chain, ...over }),
      })
    },
    enqueue: (...actions) =>
      ok({ enqueue: actions.map((one) => (typeof one === 'string' ? action(one) : one)) }),
    claim,
    claimed: async (id, over) => {
      await ok({ enqueue: [action(id, over)] })
      const claims = await claim(`nonce of ${id}`)
      return found(
        claims.find((one) => one.id === id),
        id,
      )
    },
    settle: (one, over, more) => commit({ settle: [settled(one, over, more)] }),
    action: async (id, of = OF) => found(await reader.action(of, id), id),
    execution,
    caughtUp: () => catchUp(opened),
  }
}
