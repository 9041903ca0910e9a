// Owns the port through which the engine can be watched at work: metrics and traces are made of these calls and of nothing
// else. Nobody watches unless asked to, and then nothing is called. A watcher decides nothing, and one that throws loses
// what it was told and nothing else.

import type { Settlement } from '../core/settle.ts'
import type { ClaimedAction, Member, Result, Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Ended } from './settlement.ts'

/** Names and values for whoever follows a trace. */
type Carried = Readonly<Record<string, string>>

export interface Started {
  readonly action: ClaimedAction
  /** From 1. */
  readonly attempt: number
  readonly worker: string
  readonly now: number
}

export interface Observer {
  /** Rows a claim brought, and how long it took. */
  readonly claimed?: (rows: number, tookMs: number) => void
  /** A runner is about to run: `run` runs it, and must be called once, so that it can run inside a span. */
  readonly started?: <Value>(started: Started, run: () => Value) => Value
  /** An attempt is over, and what it came to is written. */
  readonly settled?: (ended: Ended, settlement: Settlement) => void
  /** One transaction: its members, and what came of each. */
  readonly committed?: (members: readonly Member[], results: readonly Result[], tookMs: number) => void
  /** An action is asked for: what it takes along, so that its attempts can be linked to who asked. */
  readonly asked?: (type: string, id: string) => Carried
  /** What a request to the outside carries, so that whoever gets it can tell what caused it. */
  readonly outgoing?: () => Carried
}

const quietly = (tell: () => void): void => {
  try {
    tell()
  } catch {
    // The work goes on unwatched.
  }
}

const carriedBy = (give: () => Carried | undefined): Carried => {
  let carried: Carried | undefined
  quietly(() => {
    carried = give()
  })
  return carried ?? {}
}

/** What is told, whatever the watcher does with it. Where it does not listen there is nothing to make safe. */
const telling = <Told extends readonly unknown[]>(tell: ((...told: Told) => void) | undefined) =>
  tell === undefined ? () => undefined : (...told: Told) => quietly(() => tell(...told))

const running = (started: Observer['started']): Required<Observer>['started'] => {
  if (started === undefined) return (_, run) => run()
  return (told, run) => {
    let ran: { readonly value: ReturnType<typeof run> } | undefined
    const once = () => {
      ran ??= { value: run() }
      return ran.value
    }
    quietly(() => started(told, once))
    return once()
  }
}

/** The same calls, whatever the watcher does. */
export const safely = (observer: Observer): Required<Observer> => ({
  claimed: telling(observer.claimed?.bind(observer)),
  settled: telling(observer.settled?.bind(observer)),
  committed: telling(observer.committed?.bind(observer)),
  started: running(observer.started?.bind(observer)),
  asked: (type, id) => carriedBy(() => observer.asked?.(type, id)),
  outgoing: () => carriedBy(() => observer.outgoing?.()),
})

/** A store whose commits and claims are told. */
export const observedStore = <Of extends Pick<Store, 'commit' | 'claim'>>(
  store: Of,
  { committed, claimed }: Required<Observer>,
  { monotonic }: Pick<Clock, 'monotonic'>,
): Of => ({
  ...store,
  commit: async (members: readonly Member[]) => {
    const since = monotonic()
    const results = await store.commit(members)
    committed(members, results, monotonic() - since)
    return results
  },
  claim: async (request: Parameters<Store['claim']>[0]) => {
    const since = monotonic()
    const rows = await store.claim(request)
    claimed(rows.length, monotonic() - since)
    return rows
  },
})
