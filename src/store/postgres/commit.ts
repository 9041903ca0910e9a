// Owns a batch inside a transaction: lock and read in one flight, decide in the process, write set by set in a second.
// Rather than one statement of seventeen parts: each statement is planned once and can be read and explained alone, and
// the checks are the ones of the other store, word for word. What could not be locked is counted when it is written.

import type { Member, Result, Wake } from '../store.ts'
import { assumedBy } from './assume.ts'
import type { Entered } from './connections.ts'
import { type Draft, startDraft } from './draft.ts'
import { faultOf, memberError, Overtaken } from './faults.ts'
import type { Lanes } from './lanes.ts'
import { applyMember } from './member.ts'
import { needsOf, segmentsOf } from './needs.ts'
import { discover, lockTurns, NOTHING_FOUND, readWorld } from './read.ts'
import { ROOM } from './receipts.ts'
import type { Listed } from './sheets.ts'
import type { Caller } from './statements.ts'
import { writeDraft } from './write.ts'

export interface Committed {
  readonly results: readonly Result[]
  readonly news: readonly Written[]
}

export type News = Wake & { readonly all: boolean }

interface Written extends News {
  /** What was born claimed: together it is one sheet. */
  readonly claims: readonly Listed[]
  /** What it counts is on a tally. */
  readonly isTallied: boolean
}

const bornClaimed = (draft: Draft): readonly Listed[] => {
  const born: Listed[] = []
  for (const [, row] of draft.actions.changes())
    if (row?.birth !== undefined && row.status === 'running') born.push(row)
  return born
}

export const newsOf = (draft: Draft): Written => ({
  lanes: draft.lanes.changes().map(([lane]) => Number(lane)),
  timers: draft.isWoken('timers'),
  inbox: draft.isWoken('inbox'),
  all: draft.isWoken('all'),
  claims: bornClaimed(draft),
  isTallied: draft.countsMoreThan(ROOM),
})

const NOTHING_ASSUMED: ReturnType<typeof assumedBy> = new Map()

/** It reads and locks at once; what the transaction knows of itself is awaited before anything is written. */
const decideSegment = async (
  caller: Caller,
  entered: Promise<Entered>,
  lanes: Lanes,
  members: readonly Member[],
  isThorough: boolean,
): Promise<Committed> => {
  const assumed = isThorough ? NOTHING_ASSUMED : assumedBy(members)
  const needs = needsOf(members, isThorough, (action) => assumed.has(action))
  const wide = members.flatMap((member) =>
    (member.control ?? []).flatMap((one) =>
      (one.kind === 'pause' || one.kind === 'resume') && one.scope === 'definition'
        ? [{ namespace: member.namespace, tenant: member.tenant, definition: one.value }]
        : [],
    ),
  )
  if (wide.length > 0) await lockTurns(caller, needs)
  for (const of of wide) await caller.sql.lockDefinitionActions(of)
  const isNamed = needs.left.length + needs.turned.length + needs.gathers.length === 0
  const found = isNamed ? NOTHING_FOUND : await discover(caller, needs)
  const [read, { clock, epoch }] = await Promise.all([readWorld(caller, needs, found), entered])
  if (!lanes.isOf(epoch)) throw new Overtaken('a new epoch began')
  const actions = assumed.size === 0 ? read.actions : new Map([...read.actions, ...assumed])
  const world = { ...read, actions, clock, laneOf: lanes.laneOf }
  const draft = startDraft(world)
  const results = members.map((member) => applyMember(draft, member))
  // Who loses is told by what is there: an assumption may hide what comes before it.
  const isDoubtful = members.some(
    ({ settle = [] }, index) =>
      results[index]!.status !== 'ok' && settle.some(({ claim }) => assumed.has(claim.id)),
  )
  if (isDoubtful) return decideSegment(caller, entered, lanes, members, true)
  await writeDraft(caller, draft)
  return { results, news: [newsOf(draft)] }
}

/** The whole batch, in the transaction of the caller. Throws Overtaken when it must be done again. */
export const commitMembers = async (
  caller: Caller,
  entered: Promise<Entered>,
  lanes: Lanes,
  batch: readonly Member[],
  isThorough: boolean,
): Promise<Committed> => {
  const results: Result[] = []
  const news: Written[] = []
  for (const segment of segmentsOf(batch)) {
    const part = await decideSegment(caller, entered, lanes, segment, isThorough)
    results.push(...part.results)
    news.push(...part.news)
  }
  return { results, news }
}

type Commit = (batch: readonly Member[]) => Promise<Committed>

/**
 * When a batch fails by the making of one of its members, halves are tried until that one is alone. The first half comes
 * first, so that members see what those before them did.
 */
export const bisecting = (commit: Commit): Commit => {
  const attempt: Commit = async (batch) => {
    try {
      return await commit(batch)
    } catch (error) {
      if (faultOf(error) !== 'member') throw error
      if (batch.length === 1) return { results: [{ status: 'refused', error: memberError(error) }], news: [] }
      const half = Math.ceil(batch.length / 2)
      const first = await attempt(batch.slice(0, half))
      const second = await restOf(batch.slice(half))
      return { results: [...first.results, ...second.results], news: [...first.news, ...second.news] }
    }
  }
  /** What came before is on disk and must be told; if these cannot be written, each of them is told so. */
  const restOf: Commit = async (batch) => {
    try {
      return await attempt(batch)
    } catch (error) {
      const refused = { status: 'refused' as const, error: memberError(error) }
      return { results: batch.map(() => refused), news: [] }
    }
  }
  return attempt
}
