// Owns reading an instant that a person or a program wrote: RFC 3339 with its offset, or epoch milliseconds. A text
// without an offset is refused, because it would mean another instant on every host.

import { PawlError } from '../errors.ts'
import { daysInMonth } from './civil.ts'

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
/** The range of ECMAScript's Date. */
const MAX_INSTANT = 8.64e15

/** Date.parse takes 30 February for 2 March, and 24:00 for the next day. */
const isReal = ([text, year, month, day]: RegExpExecArray): boolean =>
  Number(day) <= daysInMonth(Number(year), Number(month)) && text.slice(11, 13) !== '24'

const read = (text: string): number => {
  const match = RFC3339.exec(text)
  return match !== null && isReal(match) ? Date.parse(text) : Number.NaN
}

export const parseInstant = (value: string | number): number => {
  const instant = typeof value === 'number' ? value : read(value)
  if (Number.isInteger(instant) && Math.abs(instant) <= MAX_INSTANT) return instant
  throw new PawlError('invalid_date', `"${String(value).slice(0, 80)}" is not an instant`, {
    expected: 'RFC 3339 with an offset, such as 2026-03-28T09:00:00Z, or milliseconds since 1970',
  })
}
