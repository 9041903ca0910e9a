// Owns what clients ask of recurrences: one that fires every so many seconds for a while, and everything people may ask of it
// while processes fire it.

import { RECURRENCE_EVENTS } from '../../src/core/triggers/recurrence.ts'
import { RECURRENCE_ID } from '../../src/core/triggers/recurrence-data.ts'
import { TENANTS } from './bed.ts'
import { type Ask, type ClientParts, errand, of, type Started } from './errand.ts'
import { optionsOf, TYPES } from './machines.ts'

/** They divide a minute: the instants can be counted without a calendar. */
const SECONDS = [2, 5, 10] as const

const recur =
  (parts: ClientParts): Ask =>
  async () => {
    const { seeded, started, recurrences, draw, accepted, wall } = parts
    const [tenant, type] = [seeded.pick(TENANTS), seeded.pick(TYPES)]
    const id = `${tenant}-r${draw()}`
    const settings = {
      cron: `*/${seeded.pick(SECONDS)} * * * * *`,
      timezone: 'UTC',
      do: { type, config: { tenant, name: id }, ...optionsOf(seeded, type) },
      misfire: seeded.pick(['skip', 'latest', 'all']),
      overlap: seeded.pick(['allow', 'skip', 'cancel_previous']),
      grace: seeded.pick([1000, 60_000]),
      maxExecutions: seeded.between(1, 5),
      // A world comes to rest only when nothing fires any more.
      endsAt: wall() + seeded.between(4000, 15_000),
      ...(seeded.chance(0.3) && { pauseAfterFailures: 1 }),
    }
    started.push({ tenant, id })
    recurrences.push({ tenant, id })
    const input = { id, variables: settings }
    const answer = await errand(parts, ({ engine }) =>
      engine.starting.start(of(tenant), RECURRENCE_ID, input, engine.commit),
    )
    if (answer !== undefined) accepted.executions.add(`${tenant} ${id}`)
  }

interface Wish {
  readonly type: string
  readonly payload?: { readonly at: number } | { readonly description: string }
  readonly id?: string
}

const PLAIN = [
  RECURRENCE_EVENTS.pause,
  RECURRENCE_EVENTS.resume,
  RECURRENCE_EVENTS.resume,
  RECURRENCE_EVENTS.runNow,
  RECURRENCE_EVENTS.skipNext,
  RECURRENCE_EVENTS.replan,
] as const

/** As the library asks: only for what has its fate and did not fire. */
const wishFor = ({ seeded, draw, occurrences }: ClientParts, { tenant, id }: Started): Wish => {
  const missed = occurrences.missed(tenant, id)
  if (missed.length > 0 && seeded.chance(0.3)) {
    const at = seeded.pick(missed)
    return { type: RECURRENCE_EVENTS.backfill, payload: { at }, id: `backfill/${at}` }
  }
  return seeded.chance(0.2)
    ? { type: RECURRENCE_EVENTS.change, payload: { description: `change ${draw()}` } }
    : { type: seeded.pick(PLAIN) }
}

const wish =
  (parts: ClientParts): Ask =>
  async () => {
    const { seeded, recurrences, accepted, draw } = parts
    if (recurrences.length === 0) return
    const { tenant, id } = seeded.pick(recurrences)
    const event = { id: `ev${draw()}`, ...wishFor(parts, { tenant, id }) }
    const sent = await errand(parts, ({ engine }) => engine.advancing.ask({ ...of(tenant), id }, event))
    if (sent !== undefined) accepted.events.add(`${tenant} ${id} ${event.id}`)
    if (sent?.applied) accepted.applied.add(`${tenant} ${id} ${event.id}`)
  }

export const recurrenceAsks = (parts: ClientParts): Readonly<Record<string, Ask>> => ({
  recur: recur(parts),
  'ask of a recurrence': wish(parts),
})
