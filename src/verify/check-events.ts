// Owns I1: an event id is applied once to an execution. Its lines, its inbox and its snapshot must agree about it.

import type { ExecutionFile } from '../store/inspect.ts'
import { type Broken, type Finding, judged, whereOf } from './finding.ts'
import type { Told } from './told.ts'

/** An id is remembered for a time (retention of the inbox); sent again later it is another event. */
const appliedTwice = (file: ExecutionFile, { taken }: Told, remembersMs: number): readonly Broken[] =>
  [...taken].flatMap(([event, lines]) => {
    const again = lines.find((line, index) => {
      const before = lines[index - 1]
      return before !== undefined && line.at - before.at < remembersMs
    })
    if (again === undefined) return []
    const numbers = lines.map(({ number }) => number).join(', ')
    return [
      {
        invariant: 'I1' as const,
        rule: 'applied_twice',
        where: { ...whereOf(file), event, line: again.number },
        text: `${file.id} has taken the event ${event} ${lines.length} times`,
        expected: 'one line that takes it',
        found: `lines ${numbers}`,
      },
    ]
  })

const inboxDisagrees = (file: ExecutionFile, { taken, since }: Told): readonly Broken[] =>
  file.inbox.flatMap(({ eventId, appliedAt, hasEvent }) => {
    const where = { ...whereOf(file), event: eventId }
    const lines = taken.get(eventId)
    if (appliedAt !== null && lines === undefined && appliedAt >= since)
      return [
        {
          invariant: 'I1' as const,
          rule: 'applied_untold',
          where,
          text: `the event ${eventId} is marked as applied, and the history of ${file.id} does not know it`,
          expected: 'a line that takes it',
          found: `applied at ${appliedAt}, no line`,
        },
      ]
    if (appliedAt === null && lines !== undefined)
      return [
        {
          invariant: 'I1' as const,
          rule: 'applied_and_waits',
          where,
          text: `the event ${eventId} was applied and waits to be applied again`,
          expected: 'a mark that it was applied',
          found: `line ${lines[0]!.number}, and a row that waits`,
        },
      ]
    if (appliedAt === null && !hasEvent)
      return [
        {
          invariant: 'I1' as const,
          rule: 'event_missing',
          where,
          text: `the event ${eventId} waits to be applied, and nothing of it is there but its id`,
          expected: 'the event',
          found: 'its id alone',
        },
      ]
    return []
  })

/** Every visit of a state was told by one line. */
const visitsDiffer = (file: ExecutionFile, { transitions, isWhole }: Told): Broken | false => {
  if (!isWhole || 'unreadable' in file.snapshot) return false
  const visits = Object.values(file.snapshot.visits).reduce((sum, count) => sum + count, 0)
  return (
    visits !== transitions && {
      invariant: 'I1',
      rule: 'visits',
      where: whereOf(file),
      text: `${file.id} says it entered ${visits} states, its history tells of ${transitions}`,
      expected: 'one line for each',
      found: `${visits} visits, ${transitions} lines`,
    }
  )
}

export const checkEvents = (file: ExecutionFile, told: Told, remembersMs: number): readonly Finding[] =>
  judged(appliedTwice(file, told, remembersMs), inboxDisagrees(file, told), visitsDiffer(file, told))
