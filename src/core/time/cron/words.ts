// Owns a schedule in words, in its own zone and never shifted to another. Made from the sets, not from the text, and
// each phrase stands for one set: two schedules that differ read differently (W1), and none is without words (W2).

import { printTime } from '../time-of-day.ts'
import type { Cron, Fields } from './cron.ts'
import { dayWords, monthWords, yearWords } from './day-words.ts'
import { counted, listed, roundStep } from './set-words.ts'

/** More times a day than this are said as a cadence. */
const MAX_LISTED = 6

const every = (step: number, unit: string): string =>
  step === 1 ? `every ${unit}` : `every ${step} ${unit}s`

const isZero = (values: readonly number[]): boolean => values.length === 1 && values[0] === 0

const isRun = (values: readonly number[]): boolean => values.at(-1)! - values[0]! === values.length - 1

const clock = (hour: number, minute: number): string => printTime((hour * 60 + minute) * 60_000)

const timesOf = ({ hours, minutes, seconds }: Fields): readonly string[] =>
  hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => printTime(((hour * 60 + minute) * 60 + second) * 1000)),
    ),
  )

const secondAndMinuteWords = ({ seconds, minutes }: Fields): string => {
  const second = roundStep(seconds, 60)
  const minute = roundStep(minutes, 60)
  if (isZero(seconds))
    return minute === undefined ? `at ${counted('minute', minutes)}` : every(minute, 'minute')
  const words = second === undefined ? `at ${counted('second', seconds)}` : every(second, 'second')
  if (minute !== 1) return `${words}, in ${counted('minute', minutes)}`
  return second === undefined ? `${words} of every minute` : words
}

/** "every 15 minutes, between 09:00 and 17:59" */
const cadenceWords = (fields: Fields): string => {
  const { seconds, minutes, hours } = fields
  const hour = roundStep(hours, 24)
  if (isZero(seconds) && isZero(minutes)) {
    if (hour !== undefined) return every(hour, 'hour')
    if (isRun(hours)) return `every hour from ${clock(hours[0]!, 0)} through ${clock(hours.at(-1)!, 0)}`
  }
  const words = secondAndMinuteWords(fields)
  if (hour === 1) return roundStep(minutes, 60) === undefined ? `${words} of every hour` : words
  if (isRun(hours)) return `${words}, between ${clock(hours[0]!, 0)} and ${clock(hours.at(-1)!, 59)}`
  return `${words}, in ${counted('hour', hours)}`
}

const timeAndDayWords = (fields: Fields): string => {
  const days = dayWords(fields.days)
  const { hours, minutes, seconds } = fields
  const isRound = isZero(seconds) && isZero(minutes) && roundStep(hours, 24) !== undefined
  if (isRound || hours.length * minutes.length * seconds.length > MAX_LISTED)
    return [cadenceWords(fields), days].filter((part) => part !== '').join(', ')
  const times = listed(timesOf(fields))
  if (days === '') return `every day at ${times}`
  if (days === 'on weekdays' || days === 'on weekends') return `${days.slice('on '.length)} at ${times}`
  return `at ${times}, ${days}`
}

const intervalWords = (everyMs: number): string => {
  const [unitMs, unit] = (
    [
      [3_600_000, 'hour'],
      [60_000, 'minute'],
      [1000, 'second'],
    ] as const
  ).find(([ms]) => everyMs % ms === 0)!
  return `${every(everyMs / unitMs, unit)} of elapsed time`
}

/** `Weekdays at 09:00`: for where the zone is shown beside it. */
export const cronWords = (cron: Cron): string => {
  const words =
    cron.kind === 'interval'
      ? intervalWords(cron.everyMs)
      : [timeAndDayWords(cron), monthWords(cron), yearWords(cron)].filter((part) => part !== '').join(', ')
  return `${words[0]!.toUpperCase()}${words.slice(1)}`
}

/** `Weekdays at 09:00 (Europe/London)` */
export const describe = (cron: Cron, zone: string): string => `${cronWords(cron)} (${zone})`
