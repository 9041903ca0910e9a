// Owns the ways in which events reach executions: sent from outside, patched by a person, due timers, and what waits in
// the inbox. How one execution is moved by them is move.ts.
// A1  Events of one execution are applied in the order in which the store has them: neither an event from outside nor a
//     timer overtakes one that waits (M3).
// A2  Events that nobody here can decide hold up no others: the inbox is walked page by page to its end.

import { PawlError } from '../core/errors.ts'
import { type Event, VARIABLES_PATCHED } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import { assertStorable, type JsonObject } from '../core/json.ts'
import type { Consumed, ExecutionRef, Store, Tenancy } from '../store/store.ts'
import { type ExecutionCache, keyOf } from './cache.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { Directory } from './directory.ts'
import { assertId } from './ids.ts'
import { type Log, messageOf } from './log.ts'
import type { Move, Moved, WaitReason } from './move.ts'
import type { Chance } from './random.ts'

export interface EventToSend {
  readonly type: string
  readonly payload?: unknown
  readonly id?: string
}

/** What became of an event that was sent. It is durable in any case. */
export interface Sent {
  readonly applied: boolean
  readonly duplicate: boolean
  /** Why it was not applied, or not yet. */
  readonly reason?: string
  readonly execution: Execution
}

export interface Advancing {
  readonly send: (ref: ExecutionRef, event: EventToSend) => Promise<Sent>
  /** Puts it into the inbox and no more. Answers its id. */
  readonly deliver: (ref: ExecutionRef, event: EventToSend, commit: Commit) => Promise<string>
  readonly patch: (ref: ExecutionRef, variables: JsonObject) => Promise<Sent>
  /** Sent by a person who waits for the answer: what the decider refuses changes nothing and is theirs to mend. */
  readonly ask: (ref: ExecutionRef, event: EventToSend) => Promise<Sent>
  /** What the engine itself has to say to an execution: not checked as what comes from outside is. */
  readonly tell: (ref: ExecutionRef, event: Event) => Promise<Moved>
  /** Applies what waits, a page or so of it; answers how many events were. None: a whole round found nothing to apply. */
  readonly applyInbox: (limit: number) => Promise<number>
  /** Makes known what others have stored and events wait for, if it is data; answers how many definitions it learnt. */
  readonly learn: () => Promise<number>
  readonly fireTimers: (limit: number) => Promise<number>
}

export interface AdvancingParts {
  readonly store: Pick<Store, 'load' | 'inbox' | 'dueTimers' | 'waitingDefinitions'>
  readonly directory: Directory
  readonly cache: ExecutionCache
  readonly move: Move
  readonly clock: Clock
  readonly chance: Chance
  readonly log: Log
}

export const createAdvancing = (parts: AdvancingParts): Advancing => ({
  send: async (ref, sent) => {
    // Whose it is never changes: what is remembered will do. What waits for it is looked up when it is its turn.
    const { definition } = parts.cache.get(ref)?.execution ?? (await load(parts, ref))
    const event = await eventOf(parts, ref, definition, sent)
    const moved = await parts.move(ref, { consumed: [{ event, from: 'outside' }] })
    return answer(parts, ref, moved)
  },

  deliver: async (ref, sent, commit) => {
    // Its execution may begin in the same transaction, where nobody else can see it yet.
    const [loaded] = await parts.store.load([ref])
    const definition = loaded && 'execution' in loaded ? loaded.execution.definition : undefined
    const event = await eventOf(parts, ref, definition, sent)
    const { namespace, tenant, id } = ref
    const result = await commit({ namespace, tenant, at: event.at, deliver: [{ execution: id, event }] })
    if (result.status === 'refused') throw result.error
    if (result.status === 'conflict') throw missing(ref)
    return event.id
  },

  patch: (ref, variables) => {
    assertStorable(variables, 'variables')
    return ask(parts, ref, { type: VARIABLES_PATCHED, payload: variables })
  },

  ask: (ref, sent) => ask(parts, ref, sent),

  tell: (ref, event) => parts.move(ref, { consumed: [{ event, from: 'outside' }] }),
  applyInbox: createInboxWalk(parts),
  learn: () => learn(parts),
  fireTimers: (limit) => fireTimers(parts, limit),
})

const ask = async (
  parts: AdvancingParts,
  ref: ExecutionRef,
  { type, payload = {}, id }: EventToSend,
): Promise<Sent> => {
  const now = parts.clock.now()
  const event: Event = {
    id: id ?? parts.chance.id('evt', now),
    type,
    payload: payload as JsonObject,
    at: now,
  }
  const moved = await parts.move(ref, { consumed: [{ event, from: 'outside' }], isAsked: true })
  return answer(parts, ref, moved)
}

/** Goes on where it was until a page gives something to apply, or until it has seen all from the first to the last. */
const createInboxWalk = (parts: AdvancingParts): Advancing['applyInbox'] => {
  let after: number | undefined
  return async (limit) => {
    for (let isWhole = after === undefined; ; ) {
      const isPart = after !== undefined
      const rows = await parts.store.inbox(parts.directory.ids(), limit, after)
      const isEnd = rows.length < limit
      after = isEnd ? undefined : rows.at(-1)!.seq
      const applied = await applyPage(parts, rows, isPart)
      if (applied > 0 || (isEnd && isWhole)) return applied
      isWhole ||= isEnd
    }
  }
}

const applyPage = async (
  parts: AdvancingParts,
  rows: Awaited<ReturnType<Store['inbox']>>,
  isPart: boolean,
): Promise<number> => {
  const groups: Groups = new Map()
  for (const row of rows)
    if ('unreadable' in row) tell(parts, 'an event', row.execution, row.eventId)
    else gather(groups, row, { event: row.event, from: 'inbox' })
  await readAhead(
    parts,
    [...groups.values()].map(({ ref }) => ref),
  )
  return moveEach(parts, groups, isPart)
}

/** One read for a page, not one for each: of those that nobody here can decide it is all that is done. */
const readAhead = async ({ store, cache }: AdvancingParts, refs: readonly ExecutionRef[]): Promise<void> => {
  const unknown = refs.filter((ref) => cache.get(ref) === undefined)
  if (unknown.length === 0) return
  for (const loaded of await store.load(unknown)) if ('execution' in loaded) cache.set(loaded)
}

const learn = async ({ store, directory, log }: AdvancingParts): Promise<number> => {
  const known = new Set(directory.ids())
  let learnt = 0
  for (const { definition, namespace, tenant } of await store.waitingDefinitions())
    try {
      if (known.has(definition)) continue
      if ((await directory.find({ namespace, tenant }, definition)) !== undefined) learnt += 1
    } catch (error) {
      log.error('a stored definition cannot be used', { definition, error: messageOf(error) })
    }
  return learnt
}

const fireTimers = async (parts: AdvancingParts, limit: number): Promise<number> => {
  const groups: Groups = new Map()
  for (const row of await parts.store.dueTimers(limit, parts.clock.clocks()))
    if ('unreadable' in row) tell(parts, 'a timer', row.execution, row.key)
    else gather(groups, row, { event: row.timer.event, from: 'timer' })
  return moveEach(parts, groups)
}

const tell = ({ log }: AdvancingParts, what: string, execution: string, id: string): void =>
  log.error(`${what} cannot be read and is set aside`, { execution, id })

const load = async ({ store }: AdvancingParts, ref: ExecutionRef): Promise<Execution> => {
  const [loaded] = await store.load([ref])
  if (loaded === undefined) throw missing(ref)
  if ('unreadable' in loaded) throw loaded.unreadable
  return loaded.execution
}

/** The event as it will be kept, checked by whatever of its definition is known here. */
const eventOf = async (
  { clock, chance, directory }: AdvancingParts,
  ref: ExecutionRef,
  definition: string | undefined,
  { type, payload = {}, id }: EventToSend,
): Promise<Event> => {
  const now = clock.now()
  const eventId = id ?? chance.id('evt', now)
  assertId(eventId, 'id')
  assertId(type, 'type')
  const known = definition === undefined ? undefined : await directory.find(ref, definition)
  const kept = (known === undefined ? payload : known.checkEvent(type, payload)) as JsonObject
  assertStorable(kept, `the payload of “${type}”`)
  return { id: eventId, type, payload: kept, at: now }
}

const answer = async (parts: AdvancingParts, ref: ExecutionRef, moved: Moved): Promise<Sent> => {
  switch (moved.kind) {
    case 'moved': {
      const { execution } = moved
      const step = moved.steps[0]
      const reason = step === undefined ? execution.error?.code : step.reason
      const applied = step?.applied ?? false
      return { applied, duplicate: false, ...(reason !== undefined && { reason }), execution }
    }
    case 'waits':
      return { applied: false, duplicate: false, reason: WORDS[moved.reason], execution: moved.execution }
    case 'duplicate':
      return { applied: false, duplicate: true, execution: await load(parts, ref) }
    default:
      throw missing(ref)
  }
}

type Groups = Map<string, { readonly ref: ExecutionRef; readonly consumed: Consumed[] }>

/** One move per execution, with all its events in order; one that fails does not hold up the others (F36). */
const moveEach = async (
  { move, cache, log }: AdvancingParts,
  groups: Groups,
  isPart = false,
): Promise<number> => {
  const counts = [...groups.values()].map(async ({ ref, consumed }): Promise<number> => {
    try {
      const moved = await move(ref, { consumed, isPart })
      // One that waits is read anew each time: whoever sets it going may be another process.
      if (moved.kind === 'waits') cache.drop(ref)
      if (moved.kind === 'waits') return consumed.filter(({ from }) => from === 'timer').length
      return moved.kind === 'moved' ? moved.steps.length : 0
    } catch (error) {
      log.error('an execution could not be moved', { execution: ref.id, error: messageOf(error) })
      return 0
    }
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

const gather = (
  groups: Groups,
  { namespace, tenant, execution }: Tenancy & { readonly execution: string },
  consumed: Consumed,
): void => {
  const ref = { namespace, tenant, id: execution }
  const group = groups.get(keyOf(ref)) ?? { ref, consumed: [] }
  group.consumed.push(consumed)
  groups.set(keyOf(ref), group)
}

export const missing = ({ id }: ExecutionRef): PawlError =>
  new PawlError('execution_not_found', `there is no execution “${id.slice(0, 80)}”`, {
    path: 'execution',
    expected: 'the id of an execution of this tenant',
  })

const WORDS: Readonly<Record<WaitReason, string>> = {
  paused: 'paused',
  failed: 'execution_failed',
  definition_unknown: 'definition_unknown',
  queued: 'queued',
}
