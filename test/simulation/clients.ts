// Owns those who use a simulated world: how often they ask for what. What a call returned for is written down as
// accepted; what it never returned for may be true or not.

import { actionAsks } from './ask-actions.ts'
import { executionAsks } from './ask-executions.ts'
import { pauseAsks } from './ask-pauses.ts'
import { recurrenceAsks } from './ask-recurrences.ts'
import type { Ask, ClientParts, Started } from './errand.ts'

export interface Clients {
  readonly next: () => { readonly name: string; readonly ask: Ask }
  readonly resumeAll: () => Promise<void>
}

const WEIGHTS: Readonly<Record<string, number>> = {
  start: 5,
  send: 8,
  deliver: 2,
  patch: 1,
  'cancel execution': 1,
  dispatch: 4,
  cancel: 1,
  'run now': 1,
  retry: 2,
  archive: 1,
  resolve: 2,
  pause: 1,
  resume: 2,
}

/** Beside them, where there are recurrences. */
const RECURRENCE_WEIGHTS: Readonly<Record<string, number>> = { recur: 4, 'ask of a recurrence': 8 }

const menuOf = (weights: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name))

export const createClients = (
  world: Omit<ClientParts, 'started' | 'recurrences' | 'draw'>,
  hasRecurrences: boolean,
): Clients => {
  let drawn = 0
  const started: Started[] = []
  const parts: ClientParts = { ...world, started, recurrences: [], draw: () => drawn++ }
  const pauses = pauseAsks(parts)
  const asks = { ...executionAsks(parts), ...actionAsks(parts), ...pauses.asks, ...recurrenceAsks(parts) }
  const menu = [...menuOf(WEIGHTS), ...(hasRecurrences ? menuOf(RECURRENCE_WEIGHTS) : [])]
  const first = ['start', hasRecurrences ? 'recur' : 'start']
  return {
    next: () => {
      // A world without executions is soon over.
      const name = first[started.length] ?? world.seeded.pick(menu)
      return { name, ask: asks[name]! }
    },
    resumeAll: pauses.resumeAll,
  }
}
