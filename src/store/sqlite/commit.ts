// Owns a batch inside a transaction that someone else began. All members are written in one go; when one of them fails
// by its own making, the go is undone (by the writer, or here in a caller's transaction) and made again with a savepoint
// around each, so that it fails alone.

import type { Member, Result } from '../store.ts'
import { type Connection, inSavepoint } from './connection.ts'
import { faultOf, memberError } from './faults.ts'
import { LostMember } from './lost.ts'
import { applyMember } from './member.ts'
import type { Statements } from './statements.ts'
import { type LaneCache, type Mood, startWork, type Work } from './work.ts'

export interface Committed {
  readonly results: readonly Result[]
  /** What to adopt once the transaction is over. */
  readonly works: readonly Work[]
}

/** All in one go, by statements that are run, or only written down. */
export const together = (
  sql: Statements,
  lanes: LaneCache,
  mood: Omit<Mood, 'isCareful'>,
  members: readonly Member[],
): Committed => {
  const work = startWork(sql, lanes, { ...mood, isCareful: false })
  const results = members.map((member) => applyMember(work, member))
  work.flush()
  return { results, works: [work] }
}

const apart = (
  { db, sql }: Connection,
  lanes: LaneCache,
  mood: Omit<Mood, 'isCareful'>,
  members: readonly Member[],
): Committed => {
  const works: Work[] = []
  const results = members.map((member) => {
    const work = startWork(sql, lanes, { ...mood, isCareful: true })
    try {
      const result = inSavepoint(db, () => {
        const applied = applyMember(work, member)
        work.flush()
        return applied
      })
      works.push(work)
      return result
    } catch (error) {
      if (error instanceof LostMember) return error.result
      if (faultOf(error) !== 'member') throw error
      return { status: 'refused' as const, error: memberError(error) }
    }
  })
  return { results, works }
}

/** In a transaction of our own: what throws undoes it, and comes again carefully. */
export const commitMembers = (
  connection: Connection,
  lanes: LaneCache,
  { isCareful, ...mood }: Mood,
  members: readonly Member[],
): Committed =>
  isCareful ? apart(connection, lanes, mood, members) : together(connection.sql, lanes, mood, members)

/** In a transaction of somebody else's: what they did before is not undone. */
export const commitInside = (
  connection: Connection,
  lanes: LaneCache,
  full: boolean,
  members: readonly Member[],
): Committed => {
  // What the caller has written to executions before, this process does not know.
  const mood = { full, isAlone: false }
  try {
    return inSavepoint(connection.db, () => together(connection.sql, lanes, mood, members))
  } catch (error) {
    if (faultOf(error) !== 'member') throw error
    return apart(connection, lanes, mood, members)
  }
}
