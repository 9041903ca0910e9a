// Owns how a large batch becomes several transactions, so that the event loop is never held for long. Members win or
// lose apart, so where the cuts fall changes nothing for them.

import type { Member } from '../store.ts'

/** About 10 ms of writing; also the most a group commit brings. */
const MAX_ROWS = 1000
const MAX_MEMBERS = 200

/** About how many rows a member touches. */
const weightOf = (member: Member): number => {
  const { settle = [], deliver = [], enqueue = [], control = [], record = [], advance } = member
  const own = 2 * settle.length + deliver.length + enqueue.length + control.length + record.length
  if (advance === undefined) return 1 + own
  const { consume, actions, timers, history, cancel } = advance
  const moved = consume.length + actions.length + timers.length + history.length
  return 2 + own + moved + cancel.timers.length + cancel.actions.length
}

export interface Part {
  readonly members: readonly Member[]
  readonly weight: number
}

export const split = (batch: readonly Member[]): readonly Part[] => {
  const parts: Part[] = []
  let members: Member[] = []
  let weight = 0
  for (const member of batch) {
    const more = weightOf(member)
    if (members.length > 0 && (weight + more > MAX_ROWS || members.length >= MAX_MEMBERS)) {
      parts.push({ members, weight })
      members = []
      weight = 0
    }
    members.push(member)
    weight += more
  }
  return members.length === 0 ? parts : [...parts, { members, weight }]
}
