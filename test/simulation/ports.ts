// Owns what lies between a simulated process and the store all of them share: every call waits for its turn, and may
// fail before it is made, after it was made, or take the process with it. Liveness and chores, which the store times by
// its own clock, are kept here by the world's.

import { PawlError } from '../../src/core/errors.ts'
import type { Ports } from '../../src/engine/engine.ts'
import type { Keeper } from '../../src/store/keeper.ts'
import type { Reader } from '../../src/store/reader.ts'
import type { Member, Result, Store } from '../../src/store/store.ts'
import type { WorkerRow, Workers } from '../../src/store/workers.ts'
import type { Fault, Faults } from './faults.ts'
import { limitsThrough } from './limits.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export interface PortParts {
  readonly process: Owner
  readonly ports: Ports
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly crash: () => void
  readonly neighbours: Neighbours
  readonly note: (line: string) => void
  readonly hasLimits: boolean
}

/** What the store would time by its own clock. */
export interface Neighbours {
  readonly workers: Workers
  readonly take: Keeper['take']
  /** Those who are gone count as gone at once, as they would after a while. */
  readonly forget: () => void
}

export const createNeighbours = (wall: () => number): Neighbours => {
  const rows = new Map<string, WorkerRow>()
  const chores = new Map<string, { readonly worker: string; readonly until: number }>()
  return {
    workers: {
      beat: async (row) => void rows.set(row.id, { ...row, seenAt: wall() }),
      list: async (withinMs) =>
        [...rows.values()]
          .filter(({ seenAt }) => seenAt >= wall() - withinMs)
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      remove: async (id) => void rows.delete(id),
    },
    take: async (chore, worker, leaseMs) => {
      const held = chores.get(chore)
      if (held !== undefined && held.until > wall() && held.worker !== worker) return false
      chores.set(chore, { worker, until: wall() + leaseMs })
      return true
    },
    forget: () => rows.clear(),
  }
}

const away = (label: string): PawlError =>
  new PawlError('store_unavailable', `sim: ${label} did not get through`)
const never = (): Promise<never> => new Promise(() => undefined)

type Verb = 'commit' | 'claim' | 'extend' | 'read'
const BEFORE: Readonly<Record<Verb, Fault | undefined>> = {
  commit: 'commit: crash before',
  claim: 'claim: crash before',
  extend: undefined,
  read: 'read: crash before',
}
const AFTER: Readonly<Record<Verb, Fault | undefined>> = {
  commit: 'commit: crash after',
  claim: 'claim: crash after',
  extend: undefined,
  read: undefined,
}

const through = ({ process, scheduler, faults, crash }: PortParts) => {
  const { strikes } = faults
  return async <T>(verb: Verb, label: string, call: () => Promise<T>): Promise<T> => {
    await scheduler.point(process, label)
    const [before, after] = [BEFORE[verb], AFTER[verb]]
    if (before !== undefined && strikes(before)) {
      crash()
      return never()
    }
    if (strikes(`${verb}: refused by the store`)) throw away(label)
    const value = await call()
    if (after !== undefined && strikes(after)) {
      crash()
      return never()
    }
    if (verb === 'read') return value
    if (strikes(`${verb}: reply lost`)) throw away(`the reply to ${label}`)
    if (verb === 'commit' && strikes('commit: slow')) await scheduler.timersOf(process).sleep(1500)
    await scheduler.point(process, `${label} reply`)
    return value
  }
}

/** A member, as a story tells it. */
const inWords = ({
  tenant,
  settle = [],
  advance,
  deliver = [],
  enqueue = [],
  control = [],
}: Member): string =>
  [
    tenant,
    ...settle.map(({ claim, settlement }) => `settle ${claim.id}/${claim.token} ${settlement.status}`),
    ...(advance ? [`advance ${advance.execution.id}@${advance.expected} to ${advance.execution.state}`] : []),
    ...(advance?.consume ?? []).map(({ event, from }) => `take ${event.id} from ${from}`),
    ...deliver.map(({ execution, event }) => `put ${event.id} aside for ${execution}`),
    ...enqueue.map(({ id }) => `enqueue ${id}`),
    ...control.map((each) => `${each.kind} ${'id' in each ? each.id : ''}`),
  ].join(', ')

const REFUSED: Result = {
  status: 'refused',
  error: new PawlError('store_full', 'sim: there is no room for this member'),
}

/** All of them, or all but one that there is no room for. */
const commitSome = async (
  { ports, faults, note }: PortParts,
  batch: readonly Member[],
): Promise<readonly Result[]> => {
  const refused = faults.strikes('commit: one member refused') ? batch[0] : undefined
  const written = [...(await ports.store.commit(batch.filter((member) => member !== refused)))]
  const results = batch.map((member) => (member === refused ? REFUSED : written.shift()!))
  for (const [index, member] of batch.entries()) note(`${inWords(member)}: ${results[index]!.status}`)
  return results
}

export const createPorts = (parts: PortParts): Ports => {
  const { process, ports, faults, neighbours } = parts
  const { store, reader, keeper, limits } = ports
  const ask = through(parts)
  const wake: Store['wake'] = (listener) =>
    store.wake((news) => {
      if (!process.isDead && !faults.strikes('wake: lost')) listener(news)
    })
  return {
    store: {
      ...store,
      commit: (batch) => ask('commit', 'commit', () => commitSome(parts, batch)),
      claim: (request) => ask('claim', 'claim', () => store.claim(request)),
      extend: (claims, ms, clocks) => ask('extend', 'extend', () => store.extend(claims, ms, clocks)),
      reap: (limit, clocks) => ask('read', 'reap', () => store.reap(limit, clocks)),
      dueTimers: (limit, clocks) => ask('read', 'timers', () => store.dueTimers(limit, clocks)),
      inbox: (ids, limit, after) => ask('read', 'inbox', () => store.inbox(ids, limit, after)),
      waitingFor: (ref, limit) => ask('read', 'waiting', () => store.waitingFor(ref, limit)),
      waitingDefinitions: () => ask('read', 'waiting', () => store.waitingDefinitions()),
      load: (refs) => ask('read', 'load', () => store.load(refs)),
      heads: (clocks) => ask('read', 'heads', () => store.heads(clocks)),
      wake,
    },
    reader: {
      ...reader,
      action: (of, id) => ask('read', 'action', () => reader.action(of, id)),
      actions: (of, filter, page) => ask('read', 'actions', () => reader.actions(of, filter, page)),
      execution: (of, id) => ask('read', 'execution', () => reader.execution(of, id)),
      definitions: (of, kind, id) => ask('read', 'definitions', () => reader.definitions(of, kind, id)),
    } satisfies Reader,
    keeper: {
      ...keeper,
      take: (chore, worker, ms) => ask('read', 'take', () => neighbours.take(chore, worker, ms)),
      prune: (retention, limit) => ask('read', 'prune', () => keeper.prune(retention, limit)),
      checkpoint: (now) => ask('read', 'checkpoint', () => keeper.checkpoint(now)),
    },
    limits: parts.hasLimits ? limitsThrough(limits, ask) : limits,
    workers: {
      beat: (row) => ask('read', 'beat', () => neighbours.workers.beat(row)),
      list: (ms) => ask('read', 'workers', () => neighbours.workers.list(ms)),
      remove: (id) => ask('read', 'leave', () => neighbours.workers.remove(id)),
    },
    triage: {
      ...ports.triage,
      running: (limit) => ask('read', 'bulks', () => ports.triage.running(limit)),
      untold: (limit) => ask('read', 'alerts', () => ports.triage.untold(limit)),
    },
  }
}
