// Owns how `pawl next` foretells: the firings of a cron, or of a recurrence by its id, in its zone's words, with the changes
// of the clock said where they are. Loaded when it is asked.

import { PawlError } from '../core/errors.ts'
import { civilOf } from '../core/time/civil.ts'
import type { ClockMark } from '../core/time/clock-mark.ts'
import { occurrencesOf } from '../core/time/cron/named-time.ts'
import { parseCron } from '../core/time/cron/parse.ts'
import { cronSchedule, type Schedule } from '../core/time/cron/schedule.ts'
import { describe } from '../core/time/cron/words.ts'
import { parseDate } from '../core/time/date.ts'
import type { Dst } from '../core/time/dst.ts'
import { firingsOf } from '../core/time/firings.ts'
import { parseInstant } from '../core/time/instant.ts'
import { instantsOf } from '../core/time/zone.ts'
import { realClock } from '../engine/clock.ts'
import { plainText } from './output.ts'
import type { Session } from './session.ts'

interface Firing {
  readonly at: string
  readonly local: string
  readonly zone: string
  readonly mark?: ClockMark
}

const MOST = 1000

const countOf = ({ options }: Session): number => {
  const count = Number(options['n'] ?? 5)
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count
  throw new PawlError('invalid_option', `-n is “${String(options['n']).slice(0, 80)}”`, {
    expected: `a whole number from 1 to ${MOST}`,
  })
}

/** A date is its first moment there. */
const fromOf = ({ options }: Session, zone: string): number => {
  const given = options['from'] as string | undefined
  if (given === undefined) return realClock.now()
  if (!/^\d{4}-\d{2}-\d{2}$/.test(given)) return parseInstant(given)
  const midnight = { ...civilOf(parseDate(given, '--from')), hour: 0, minute: 0, second: 0, millisecond: 0 }
  return instantsOf(midnight, zone).first - 1
}

/** What has a space or an @ is meant as a cron; one word may be an id. */
const looksLikeCron = (text: string): boolean => /[\s@*]/.test(text.trim())

const patternOf = ({ options }: Session, text: string): Schedule =>
  cronSchedule(parseCron(text), { zone: String(options['tz'] ?? 'UTC') })

const recurrenceOf = async (session: Session, id: string): Promise<Schedule> => {
  const { cron_expr, timezone, enabled, dst } = await (await session.client()).recurring.get(id)
  if (cron_expr === null || timezone === null)
    throw new PawlError('recurrence_conflict', `“${id}” is written in code that the server does not have`, {
      expected: 'the cron itself: pawl next "<cron>" --tz <zone>',
    })
  if (!enabled) session.terminal.say(`it is switched off: pawl recurring resume ${plainText(id)}`)
  return cronSchedule(parseCron(cron_expr), {
    zone: timezone,
    ...(dst !== null && { dst: dst as Partial<Dst> }),
  })
}

const part = (at: number, zone: string, options: Intl.DateTimeFormatOptions, locale = 'en-GB'): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }).format(at)

/** `BST`, `EDT`: the platform knows each by the habits of one country. */
const zoneWord = (at: number, zone: string): string => {
  const names = ['en-GB', 'en-US', 'en-AU'].map((locale) =>
    part(at, zone, { timeZoneName: 'short', hour: '2-digit' }, locale).replace(/^.*\s/, ''),
  )
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0]!
}

/** `Sun 25 Oct 2026 01:30 BST`. */
const localText = (at: number, zone: string): string => {
  const day = part(at, zone, { day: 'numeric' }).padStart(2)
  const isRound = at % 60_000 === 0
  const time = part(at, zone, {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isRound && { second: '2-digit' }),
    hourCycle: 'h23',
  })
  const [weekday, month] = [part(at, zone, { weekday: 'short' }), part(at, zone, { month: 'short' }, 'en-US')]
  return `${weekday} ${day} ${month} ${part(at, zone, { year: 'numeric' })} ${time} ${zoneWord(at, zone)}`
}

/** The change itself was just said of the firing before. */
const isTold = (mark: ClockMark, before: ClockMark | undefined): boolean =>
  mark.kind === 'change' && before !== undefined && before.kind !== 'change'

const firingsAfter = (schedule: Schedule, from: number, limit: number): readonly Firing[] => {
  const { zone, dst } = schedule
  const source = { id: 'next', zone, dst, occurrences: (since: number) => occurrencesOf(schedule, since) }
  const { firings } = firingsOf([source], { from: from + 1, to: Number.POSITIVE_INFINITY, limit })
  return firings.map(({ at, mark }, index) => ({
    at: new Date(at).toISOString().replace('.000Z', 'Z'),
    local: localText(at, zone),
    zone,
    ...(mark !== undefined && !isTold(mark, firings[index - 1]?.mark) && { mark }),
  }))
}

export const foretell = async (session: Session, text: string): Promise<void> => {
  const { output, terminal } = session
  const count = countOf(session)
  const schedule = looksLikeCron(text) ? patternOf(session, text) : await recurrenceOf(session, text)
  const firings = firingsAfter(schedule, fromOf(session, schedule.zone), count)
  if (output.isJson) return output.rows(firings, [])
  terminal.print(describe(schedule.cron, schedule.zone))
  for (const { at, local, mark } of firings)
    terminal.print(`  ${local}  ${at}${mark === undefined ? '' : `   ⌁ ${mark.text}`}`)
  if (firings.length === 0) terminal.say('It never fires again.')
}
