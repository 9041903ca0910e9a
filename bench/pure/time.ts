// Figures of core/time: cron beside croner, calendar arithmetic beside luxon and Temporal. No I/O, one thread.

import { instantsOn, shiftDay } from '../../src/core/time/calendar.ts'
import { parseCron } from '../../src/core/time/cron/parse.ts'
import { cronSchedule } from '../../src/core/time/cron/schedule.ts'
import { parseDate, printDate } from '../../src/core/time/date.ts'
import { DEFAULT_DST } from '../../src/core/time/dst.ts'
import type { Figure } from '../figure.ts'
import { loadPeer } from '../peers.ts'
import { type Effort, rate } from '../rate.ts'

interface Croner {
  readonly Cron: new (
    pattern: string,
    options: { timezone: string; paused: true },
  ) => { nextRun(after: Date): Date | null }
}
interface Luxon {
  readonly DateTime: {
    fromISO(date: string, options: { zone: string }): LuxonTime
  }
}
interface LuxonTime {
  minus(amount: { days: number }): LuxonTime
  set(time: { hour: number }): LuxonTime
  toMillis(): number
}
interface TemporalPolyfill {
  readonly Temporal: {
    readonly PlainDate: {
      from(date: string): {
        subtract(amount: { days: number }): {
          toZonedDateTime(at: { timeZone: string; plainTime: string }): { readonly epochMilliseconds: number }
        }
      }
    }
  }
}

const ZONE = 'America/New_York'
const FROM = Date.UTC(2026, 0, 1)
const TO = Date.UTC(2100, 0, 1)

/** From firing to firing, starting over at the end of the century. */
const follow =
  (next: (after: number) => number | undefined) =>
  (n: number): number => {
    let at = FROM
    for (let i = 0; i < n; i++) at = at < TO ? next(at)! : FROM
    return at
  }

const PATTERNS = {
  'cron.next weekdays at 09:00': '0 9 * * MON-FRI',
  'cron.next every 15 minutes': '*/15 * * * *',
  'cron.next last day of the month': '0 0 L * *',
  'cron.next leap day': '0 12 29 2 *',
}

const cronFigures = async (effort: Effort): Promise<readonly Figure[]> => {
  const { label, library } = await loadPeer<Croner>('croner')
  const next = Object.entries(PATTERNS).flatMap(([name, pattern]) => {
    const ours = cronSchedule(parseCron(pattern), { zone: ZONE })
    const croner = new library.Cron(pattern, { timezone: ZONE, paused: true })
    const peer = { label, run: follow((after) => croner.nextRun(new Date(after))?.getTime()) }
    return rate(name, { ours: follow(ours.next), peers: [peer], effort })
  })
  /** More patterns than the memo of what was read holds, so each is read anew. */
  const first =
    (make: (pattern: string) => number) =>
    (n: number): number => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += make(`${i % 60} ${Math.floor(i / 60) % 60} 9 * * *`) % 1_000_003
      return sum
    }
  const cold = rate('cron.read and first firing', {
    ours: first((pattern) => cronSchedule(parseCron(pattern), { zone: ZONE }).next(FROM)!),
    peers: [
      {
        label,
        run: first((pattern) =>
          new library.Cron(pattern, { timezone: ZONE, paused: true }).nextRun(new Date(FROM))!.getTime(),
        ),
      },
    ],
    effort,
  })
  return [...next, ...cold]
}

const DATES = Array.from({ length: 3650 }, (_, index) => printDate(parseDate('2026-01-01') + index))
const NINE = 9 * 3_600_000

const overDates =
  (instantOf: (date: string) => number) =>
  (n: number): number => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += instantOf(DATES[(i * 37) % DATES.length]!) / 60_000
    return sum
  }

const calendarFigures = async (effort: Effort): Promise<readonly Figure[]> => {
  const luxon = await loadPeer<Luxon>('luxon')
  const temporal = await loadPeer<TemporalPolyfill>('temporal-polyfill')
  const { DateTime } = luxon.library
  const { PlainDate } = temporal.library.Temporal
  const inZone = { timeZone: ZONE, plainTime: '09:00' }
  return rate('calendar.42 days before at 09:00', {
    ours: overDates((date) => instantsOn(shiftDay(parseDate(date), -42, 'day'), NINE, ZONE, DEFAULT_DST)[0]!),
    peers: [
      {
        label: luxon.label,
        run: overDates((date) =>
          DateTime.fromISO(date, { zone: ZONE }).minus({ days: 42 }).set({ hour: 9 }).toMillis(),
        ),
      },
      {
        label: temporal.label,
        run: overDates(
          (date) => PlainDate.from(date).subtract({ days: 42 }).toZonedDateTime(inZone).epochMilliseconds,
        ),
      },
    ],
    effort,
  })
}

export const timeFigures = async (effort: Effort): Promise<readonly Figure[]> => [
  ...(await cronFigures(effort)),
  ...(await calendarFigures(effort)),
]
