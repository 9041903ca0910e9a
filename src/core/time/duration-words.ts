// Owns durations as people read and write them: the shortest exact text for a number of milliseconds, and the
// guess behind "did you mean". What is actually taken is decided by duration.ts.

import { nearest } from '../suggest.ts'
import { DAY_MS } from './civil.ts'

const UNITS = [
  ['w', 7 * DAY_MS],
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    w: ['w', 'wk', 'wks', 'week', 'weeks'],
    d: ['d', 'day', 'days'],
    h: ['h', 'hr', 'hrs', 'hour', 'hours'],
    m: ['m', 'min', 'mins', 'minute', 'minutes'],
    s: ['s', 'sec', 'secs', 'second', 'seconds'],
    ms: ['ms', 'msec', 'millis', 'millisecond', 'milliseconds'],
  }).flatMap(([unit, words]) => words.map((word): [string, string] => [word, unit])),
)

const msOf = (unit: string): number => UNITS.find(([name]) => name === unit)?.[1] ?? Number.POSITIVE_INFINITY

/** One unit while its count has at most three digits (90s, 36h, 42d as 6w), else a sum from days down (1h1m1s). */
export const printDuration = (ms: number): string => {
  if (ms === 0) return '0s'
  const single = UNITS.find(([, unitMs]) => ms % unitMs === 0 && ms / unitMs < 1000)
  if (single !== undefined) return `${ms / single[1]}${single[0]}`
  let left = ms
  let text = ''
  for (const [unit, unitMs] of UNITS.slice(1)) {
    const count = Math.floor(left / unitMs)
    left -= count * unitMs
    if (count > 0) text += `${count}${unit}`
  }
  return text
}

/** “5 minutes”, “1.5h”, “2 wekes”, “90”: the text that was probably meant. */
export const suggestDuration = (text: string): string | undefined => {
  const clean = text.slice(0, 80).trim().toLowerCase()
  if (/^\d{1,9}$/.test(clean)) return printDuration(Number(clean))
  const parts = clean.match(/\d{1,9}(?:\.\d{1,3})?\s*[a-z]+/g)
  if (parts === null || parts.join('').length < clean.replaceAll(/\s|,|\band\b/g, '').length) return undefined
  const counts: [count: number, unit: string][] = []
  for (const part of parts) {
    const word = part.replace(/^[\d.]+\s*/, '')
    const unit = WORDS.get(word) ?? WORDS.get(nearest(word, WORDS.keys()) ?? '')
    if (unit === undefined) return undefined
    counts.push([Number.parseFloat(part), unit])
  }
  const isPlain = counts.every(
    ([count, unit], index) => Number.isInteger(count) && msOf(unit) < msOf(counts[index - 1]?.[1] ?? 'all'),
  )
  if (isPlain) return counts.map(([count, unit]) => `${count}${unit}`).join('')
  return printDuration(Math.round(counts.reduce((sum, [count, unit]) => sum + count * msOf(unit), 0)))
}
