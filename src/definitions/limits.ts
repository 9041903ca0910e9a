// Owns what no definition may hold, whatever its form: too deep, too many keys, keys that reach a prototype, text and
// numbers that could be accepted here and not stored or not read back the same there (S31). The readers of JSON
// and YAML text and of values from programs all spend from one budget.

import { MAX_JSON_DEPTH } from '../core/json.ts'
import { type Path, type Problem, quote } from './problem.ts'
import { createRejections, type Rejections } from './rejections.ts'

export const MAX_TEXT_LENGTH = 1024 * 1024
const MAX_KEYS = 10_000
/** Values of any kind, after aliases are written out: bounds what has no keys. */
const MAX_VALUES = 100_000

export interface Budget extends Rejections {
  readonly key: (at: Path, offset: number, isRepeated: boolean) => void
  readonly text: (value: string, at: Path, offset: number, point?: Problem['point']) => void
  /** `isWhole`: written without a fraction or an exponent. */
  readonly number: (value: number, isWhole: boolean, at: Path, offset: number) => void
  readonly value: (depth: number, at: Path, offset: number) => void
  /** What an alias repeats. */
  readonly repeat: (size: Size, at: Path, offset: number) => void
  readonly size: () => Size
}

export interface Size {
  readonly keys: number
  readonly values: number
}

export const createBudget = (): Budget => {
  const rejections = createRejections()
  const { reject, stop } = rejections
  let keys = 0
  let values = 0
  const spend = (size: Size, at: Path, offset: number): void => {
    keys += size.keys
    values += size.values
    if (keys > MAX_KEYS) stop(at, offset, `there are more than ${MAX_KEYS} keys`, 'a smaller definition')
    if (values > MAX_VALUES)
      stop(at, offset, `there are more than ${MAX_VALUES} values`, 'a smaller definition')
  }
  const text: Budget['text'] = (value, at, offset, point) => {
    if (/\p{Surrogate}/u.test(value))
      reject(at, offset, 'the text holds half of a surrogate pair', 'whole characters', point)
    if (value.includes('\0')) reject(at, offset, 'the text holds a NUL character', 'text without it', point)
  }
  return {
    ...rejections,
    text,
    key: (at, offset, isRepeated) => {
      spend({ keys: 1, values: 0 }, at, offset)
      const name = String(at.at(-1))
      text(name, at, offset, 'key')
      if (name === '__proto__') reject(at, offset, '“__proto__” cannot be a key', 'another name', 'key')
      if (isRepeated) reject(at, offset, `the key ${quote(name)} stands here twice`, 'each key once', 'key')
    },
    number: (value, isWhole, at, offset) => {
      if (!Number.isFinite(value))
        reject(at, offset, 'the number is not finite', 'a number that JSON can hold')
      else if (isWhole && !Number.isSafeInteger(value))
        reject(
          at,
          offset,
          'the number is too large to be kept exactly',
          'at most 2^53 - 1, or text in quotes',
        )
    },
    value: (depth, at, offset) => {
      spend({ keys: 0, values: 1 }, at, offset)
      if (depth > MAX_JSON_DEPTH)
        stop(at, offset, `this is nested more than ${MAX_JSON_DEPTH} levels deep`, 'a flatter definition')
    },
    repeat: spend,
    size: () => ({ keys, values }),
  }
}
