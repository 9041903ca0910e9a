// Owns weekdays as words: mon, Monday, mon-fri, weekdays, lists of them. Inside 0 = Sunday … 6 = Saturday.

import { PawlError } from '../errors.ts'
import { nearest } from '../suggest.ts'

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const GROUPS: ReadonlyMap<string, readonly number[]> = new Map([
  ['weekdays', [1, 2, 3, 4, 5]],
  ['weekends', [0, 6]],
  ['daily', [0, 1, 2, 3, 4, 5, 6]],
])

export const WEEKDAY_LABELS: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const indexOf = (word: string): number | undefined => {
  const index = NAMES.findIndex((name) => name === word || (word.length >= 3 && name.startsWith(word)))
  return index === -1 ? undefined : index
}

/** fri-mon runs over the weekend: Friday, Saturday, Sunday, Monday. */
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, step) => (from + step) % 7)

const daysOf = (word: string): readonly number[] | undefined => {
  const group = GROUPS.get(word)
  if (group !== undefined) return group
  const [from, to, ...rest] = word.split('-').map(indexOf)
  if (from === undefined || rest.length > 0) return undefined
  return word.includes('-') ? (to === undefined ? undefined : range(from, to)) : [from]
}

const refuse = (message: string, path: string, suggestion?: string): PawlError =>
  new PawlError('invalid_window', message, {
    path,
    expected: 'mon … sun, a range such as mon-fri, weekdays, weekends or daily',
    ...(suggestion === undefined ? {} : { suggestion }),
  })

const isText = (value: unknown): value is string => typeof value === 'string'

const wordsOf = (value: unknown, path: string): readonly string[] => {
  if (isText(value)) return value.split(',')
  if (Array.isArray(value) && value.length > 0 && value.every(isText)) return value
  throw refuse(`${path} names no weekday`, path)
}

/** `mon-fri, sun` or ['mon', 'wednesday'], as sorted weekday numbers. */
export const parseWeekdays = (value: unknown, path: string): readonly number[] => {
  const days = new Set<number>()
  for (const written of wordsOf(value, path)) {
    const word = written.trim().toLowerCase()
    const found = daysOf(word)
    if (found === undefined)
      throw refuse(
        `“${word.slice(0, 80)}” is not a weekday`,
        path,
        nearest(word, [...NAMES, ...GROUPS.keys()]),
      )
    for (const day of found) days.add(day)
  }
  return [...days].sort()
}
