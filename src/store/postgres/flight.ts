// Owns the commit that reads nothing before it writes: what its members say of their rows is taken for true (sure.ts), each
// statement undoes the whole when it was not, and COMMIT goes behind the writes without waiting for their answers. Two
// waits of three are saved. After a flight that was undone, all is locked and looked at, and who lost is told.
// What cannot be seen by writing, a pause, is taken for what was seen last, read in the same flight, and judged before COMMIT
// is sent. Where nothing was seen to be paused, the server judges that too, and the whole is one message with one answer (post).

import type { Member, Result } from '../store.ts'
import { type Committed, newsOf } from './commit.ts'
import type { Entered, Flown } from './connections.ts'
import { type Draft, keyOf, startDraft } from './draft.ts'
import { Overtaken } from './faults.ts'
import type { Lanes } from './lanes.ts'
import { applyMember } from './member.ts'
import { isEager, type Starts, startsOf } from './needs.ts'
import { keyColumns, lockTurns, readPauses } from './read.ts'
import type { Signature, Signing } from './receipts.ts'
import { type Caller, invoke } from './statements.ts'
import type { PauseState } from './states.ts'
import { allWell, countsOf, encodeSuccesses, type Successes, successesOf } from './successes.ts'
import { assumeRows, isSureOf } from './sure.ts'
import { all, type Encoded, encodeWrites, sendWrites } from './write.ts'

export interface Flights {
  /** Whether this batch may go without being read. */
  readonly dares: (batch: readonly Member[]) => boolean
  /** Undefined: somebody loses by what the members say themselves, and nothing was sent. */
  readonly fly: (
    caller: Caller,
    entered: Promise<Entered>,
    batch: readonly Member[],
  ) => Promise<Flown<Committed> | undefined>
  /** The same in one piece. Undefined: it is not for that, or somebody loses, and nothing was sent. */
  readonly post: (caller: Caller, signing: Signing, batch: readonly Member[]) => Flown<Committed> | undefined
  /** It was undone: what the members said was not so. */
  readonly failed: () => void
}

/** Who is overtaken again and again tries it with one batch in 64. */
const MOST_SHY = 6

const EMPTY: ReadonlyMap<string, never> = new Map<string, never>()
const NOTHING_READ = {
  sought: new Set<string>(),
  gathering: EMPTY,
  known: new Set<string>(),
  steps: EMPTY,
  dedup: EMPTY,
  definitions: EMPTY,
  bulks: EMPTY,
  sent: EMPTY,
  alerts: EMPTY,
}

const pauseKey = ({ namespace, tenant, scope, value }: PauseState): string =>
  keyOf(namespace, tenant, scope, value)

type Pauses = ReadonlyMap<string, PauseState>

/** What is paused after `found` was read of those asked for; the same when that is what was taken for true. */
const learn = (
  taken: Pauses,
  found: readonly PauseState[],
  isAsked: (pause: PauseState) => boolean,
): Pauses => {
  const asked = [...taken.values()].filter(isAsked)
  if (asked.length === found.length && found.every((pause) => taken.has(pauseKey(pause)))) return taken
  const rest = [...taken.values()].filter((pause) => !isAsked(pause))
  return new Map([...rest, ...found].map((pause) => [pauseKey(pause), pause]))
}

type Guards = Starts & { readonly isEager: boolean }

const guardsOf = (batch: readonly Member[]): Guards => ({ ...startsOf(batch), isEager: isEager(batch) })

/** A start and a pause of its definition take turns: what is read behind the lock is so until the end. */
const readGuards = async (caller: Caller, guards: Guards): Promise<readonly PauseState[]> => {
  const [, pauses] = await Promise.all([
    lockTurns(caller, guards),
    readPauses(caller, { ...guards, turned: [] }),
  ])
  return pauses.flatMap<PauseState>(({ rows }) => rows)
}

const isAskedBy = ({ pauses, isEager }: Guards): ((pause: PauseState) => boolean) => {
  const named = new Set(pauses.map((key) => keyOf(...key)))
  return (pause) => (isEager && pause.scope !== 'definition') || named.has(pauseKey(pause))
}

/** How much is dared: with each flight in a row that was undone, twice as many batches are read first. */
const createNerve = () => {
  let undone = 0
  let shy = 0
  return {
    dares: (): boolean => {
      if (shy === 0) return true
      shy -= 1
      return false
    },
    arrived: (): void => {
      undone = 0
    },
    failed: (): void => {
      undone = Math.min(undone + 1, MOST_SHY)
      shy = 2 ** undone
    },
  }
}

/** New actions are made ready so many at a time: the server inserts some while the next are drafted. */
const SLICE = 200

/** A member of many new actions and nothing else; any other batch is one slice. */
const slicesOf = (batch: readonly Member[]): readonly (readonly Member[])[] => {
  const [member, ...others] = batch
  const { enqueue = [], advance, settle, deliver, record } = member!
  const isLong = others.length === 0 && enqueue.length >= 2 * SLICE
  if (!isLong || advance || settle || deliver || record) return [batch]
  return Array.from({ length: Math.ceil(enqueue.length / SLICE) }, (_, index) => [
    { ...member!, enqueue: enqueue.slice(index * SLICE, (index + 1) * SLICE) },
  ])
}

/** What is counted in all slices is written with the last. */
const depart = (batch: readonly Member[], pauses: Pauses, { laneOf }: Lanes, before: Draft | undefined) => {
  const draft = startDraft({ ...NOTHING_READ, ...assumeRows(batch), pauses, clock: undefined, laneOf })
  if (before !== undefined) draft.addAll(before.counted())
  const results = batch.map((member) => applyMember(draft, member))
  return { draft, results }
}

/** Drafts and sends slice by slice. Undefined: somebody loses, and nothing was sent. */
const sendSlices = (caller: Caller, batch: readonly Member[], pauses: Pauses, lanes: Lanes) => {
  const slices = slicesOf(batch)
  const drafts: Draft[] = []
  const sent: ReturnType<typeof sendWrites>[] = []
  const claimed: NonNullable<Result['claimed']>[number][] = []
  let results: readonly Result[] = []
  for (const [index, slice] of slices.entries()) {
    const made = depart(slice, pauses, lanes, drafts.at(-1))
    if (made.results.some(({ status }) => status !== 'ok')) {
      if (index === 0) return undefined
      throw new Overtaken('what was sent is not all')
    }
    const isLast = index === slices.length - 1
    sent.push(sendWrites(caller, encodeWrites(caller, made.draft, isLast ? made.draft.counted() : [])))
    if (!isLast) caller.leave()
    drafts.push(made.draft)
    results = made.results
    if (slices.length > 1) claimed.push(...(results[0]!.claimed ?? []))
  }
  return {
    results: claimed.length === 0 ? results : [{ ...results[0]!, claimed }],
    news: drafts.map(newsOf),
    written: sent.length === 1 ? sent[0]!.written : all(sent.map(({ written }) => written)),
    hasFailed: () => sent.some((one) => one.hasFailed()),
  }
}

type Signed = Signature & { readonly epoch: string }

/** Who begins nothing need not know what is paused. */
const sign = (caller: Caller, signature: Signed, guards: Guards) =>
  guards.isEager || guards.pauses.length > 0
    ? caller.sql.signGuarded({ ...signature, eager: guards.isEager, ...keyColumns(guards.pauses) })
    : caller.sql.signReceipt(signature)

/** New actions alike, and nothing else, of which nobody need be asked: the statement that signs writes them, too. */
const signAlike = (
  caller: Caller,
  signature: Signed,
  [write, ...others]: readonly Encoded[],
  { isEager, turns, pauses }: Guards,
) => {
  const isAsking = isEager || turns.size > 0 || pauses.length > 0
  if (write?.name !== 'insertAlike' || others.length > 0 || isAsking) return undefined
  return invoke(caller.sql, 'signAlike', { ...write.args, ...signature })
}

/** The signature behind the turns that are waited for, and before what is written. */
const sendSigned = (
  caller: Caller,
  signature: Signed,
  writes: readonly Encoded[],
  guards: Guards,
): Promise<unknown> => {
  const alike = signAlike(caller, signature, writes, guards)
  if (alike !== undefined) return alike
  const turned = Promise.resolve(lockTurns(caller, guards))
  const signed = sign(caller, signature, guards)
  return all([turned, signed, sendWrites(caller, writes).written])
}

/** They begin nothing: nobody is waited for, and nothing is asked that could be paused. */
const sendSuccesses = (
  caller: Caller,
  signing: Signing,
  epoch: string,
  successes: Successes,
): Flown<Committed> => {
  const counts = countsOf(successes)
  const counting = signing.sign(counts)
  const writes = encodeSuccesses(caller, successes, counting === undefined ? counts : [])
  const signed = caller.sql.signReceipt({ ...(counting ?? signing.sign([])!), epoch })
  const { written } = sendWrites(caller, writes)
  caller.leave()
  return { value: allWell(successes), written: all([signed, written]) }
}

/** In one breath. */
const sendWhole = (
  caller: Caller,
  signing: Signing,
  epoch: string,
  batch: readonly Member[],
  lanes: Lanes,
): Flown<Committed> | undefined => {
  const successes = successesOf(batch)
  if (successes !== undefined) return sendSuccesses(caller, signing, epoch, successes)
  const { draft, results } = depart(batch, EMPTY, lanes, undefined)
  if (results.some(({ status }) => status !== 'ok')) return undefined
  const counts = draft.counted()
  const counting = signing.sign(counts)
  const signature = { ...(counting ?? signing.sign([])!), epoch }
  const writes = encodeWrites(caller, draft, counting === undefined ? counts : [])
  const written = sendSigned(caller, signature, writes, guardsOf(batch))
  caller.leave()
  return { value: { results, news: [newsOf(draft)] }, written }
}

export const createFlights = (lanes: Lanes): Flights => {
  const nerve = createNerve()
  /** What was last seen to be paused: as long as it is so, nobody need wait to hear it. */
  let seen: Pauses = EMPTY
  /** What was posted last was undone: what is paused may be why, and only a flight is told. */
  let isDoubtful = false

  const fly: Flights['fly'] = async (caller, entered, batch) => {
    const guards = guardsOf(batch)
    const guarded = readGuards(caller, guards)
    guarded.catch(() => undefined)
    // COMMIT waits for the number of the transaction and for what guards it, not for what is written.
    caller.hurry()
    const [taken, departed] = [seen, lanes.epoch()]
    const sent = sendSlices(caller, batch, taken, lanes)
    if (sent === undefined) return undefined
    const { results, news, written, hasFailed } = sent
    written.catch(() => undefined)
    const [{ epoch }, found] = await Promise.all([entered, guarded])
    // Another commit may have heard of it meanwhile: what was decided here was decided on what was known then.
    if (!lanes.isOf(epoch) || epoch !== (departed ?? epoch)) throw new Overtaken('a new epoch began')
    const learnt = learn(taken, found, isAskedBy(guards))
    if (learnt !== taken) {
      seen = learnt
      throw new Overtaken('what is paused is not what was')
    }
    // One that could not even be sent is unknown to the server: COMMIT would keep the others.
    if (hasFailed()) await written
    isDoubtful = false
    return { value: { results, news }, written: written.then(nerve.arrived) }
  }
  const post: Flights['post'] = (caller, signing, batch) => {
    const epoch = lanes.epoch()
    if (isDoubtful || seen.size > 0 || epoch === undefined || slicesOf(batch).length > 1) return undefined
    const sent = sendWhole(caller, signing, epoch, batch, lanes)
    return sent && { ...sent, written: sent.written.then(nerve.arrived) }
  }
  const failed = (): void => {
    isDoubtful = true
    nerve.failed()
  }
  return { dares: (batch) => isSureOf(batch) && nerve.dares(), fly, post, failed }
}
