// Owns the lines of history that a move writes: what each step did, together with the settlement whose result it was, and
// what stopped it.

import type { Event } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import type { Folded } from '../core/fold.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Advance } from '../store/store.ts'

/** How the history tells the settlement whose result an event is. */
export interface Told {
  /** The event's id. */
  readonly event: string
  /** Its names are in order. */
  readonly told: JsonObject
}

/** In the order of names: what is in order is hashed without being put into it. */
const withSettled = (data: JsonObject, settled: JsonObject): JsonObject => {
  const told: Record<string, Json> = {}
  let isIn = false
  for (const name in data) {
    if (!isIn && name > 'settled') {
      told['settled'] = settled
      isIn = true
    }
    told[name] = data[name]!
  }
  if (!isIn) told['settled'] = settled
  return told
}

type Line = Advance['history'][number]

/** It went over to another version of its definition. */
export const movedLine = (from: Execution, to: Execution, at: number): Line => ({
  type: 'execution.moved',
  at,
  data: { from: from.definitionHash, to: to.definitionHash },
})

/** One for each step, with the settlement it began with; the last says what stopped them. */
export const linesOf = (
  { steps, rest, failure }: Folded,
  { error }: Execution,
  settled: readonly Told[] = [],
  at: number,
): Line[] => {
  const toldOf = ({ id }: Event): JsonObject | undefined => settled.find(({ event }) => event === id)?.told
  const lines = steps.map(({ history: { type, data: decided, isOrdered }, event }): Line => {
    const told = toldOf(event)
    const data = told === undefined ? decided : withSettled(decided, told)
    return isOrdered ? { type, at, data, isOrdered } : { type, at, data }
  })
  if (failure) {
    const { id, type } = rest[0]!
    const told = toldOf(rest[0]!)
    const data = { event: { id, type }, error: { ...error! }, ...(told && { settled: told }) }
    lines.push({ type: 'execution.failed', at, data })
  }
  return lines
}
