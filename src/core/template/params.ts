// Owns what the arguments of filters may be. A literal is checked when the template is compiled, a path when it is
// rendered; the same question is asked of both.

import type { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'
import { assertZone } from '../time/zone.ts'
import { isFormat } from './date-format.ts'
import { isCurrency, isLocale } from './number-format.ts'

export interface Param {
  readonly expected: string
  readonly accepts: (value: Json) => boolean
  /** The nearest thing that would be accepted. */
  readonly suggest?: (value: Json) => string | undefined
}

const text = (expected: string, accepts: (value: string) => boolean): Param => ({
  expected,
  accepts: (value) => typeof value === 'string' && accepts(value),
})

const whole = (from: number, to: number): Param => ({
  expected: `a whole number from ${from} to ${to}`,
  accepts: (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= to,
})

const zoneProblem = (name: Json): PawlError | undefined => {
  try {
    assertZone(String(name))
    return undefined
  } catch (problem) {
    return problem as PawlError
  }
}

export const ANY: Param = { expected: 'anything', accepts: () => true }
export const TEXT: Param = text('a text', () => true)
export const LENGTH: Param = whole(1, 10_000)
export const DIGITS: Param = whole(0, 20)
export const LOCALE: Param = text('a locale such as en-GB or de-DE', isLocale)
export const CURRENCY: Param = text('a currency code such as EUR', isCurrency)
export const FORMAT: Param = text('tokens such as D MMMM YYYY HH:mm, and other text in [brackets]', isFormat)
export const ZONE: Param = {
  ...text('a time zone such as Europe/London', (name) => zoneProblem(name) === undefined),
  suggest: (name) => zoneProblem(name)?.details.suggestion,
}
