// Owns + - * / % min max. What is no number, and what does not end in one (a division by zero, an overflow), fails:
// a condition that quietly compared NaN would be false for no visible reason.

import type { Json } from '../json.ts'
import { burn, failed, type Operator, type Point } from './rule.ts'
import { numeric, onValues } from './values.ts'

type Convert = (value: Json, point: Point) => number

const onNumbers = (
  atLeast: number,
  calculate: (numbers: readonly number[]) => number,
  convert: Convert = numeric,
): Operator =>
  onValues((values, point, site) => {
    if (values.length < atLeast) throw failed(site, 'has too few arguments', `at least ${atLeast}`)
    burn(point, values.length)
    const result = calculate(values.map((value) => convert(value, point)))
    if (Number.isFinite(result)) return result
    throw failed(site, 'has no result', 'numbers, and no division by zero')
  })

/** The greatest of a text and a number says nothing: min and max take real numbers. */
const strict: Convert = (value) => (typeof value === 'number' ? value : Number.NaN)

/** With one argument: its negative, its reciprocal. */
const from = (numbers: readonly number[], start: number): readonly number[] =>
  numbers.length === 1 ? [start, ...numbers] : numbers

export const ARITHMETIC: Readonly<Record<string, Operator>> = {
  '+': onNumbers(0, (numbers) => numbers.reduce((sum, number) => sum + number, 0)),
  '*': onNumbers(0, (numbers) => numbers.reduce((product, number) => product * number, 1)),
  '-': onNumbers(1, (numbers) => from(numbers, 0).reduce((left, number) => left - number)),
  '/': onNumbers(1, (numbers) => from(numbers, 1).reduce((left, number) => left / number)),
  '%': onNumbers(2, (numbers) => numbers.reduce((left, number) => left % number)),
  min: onNumbers(1, (numbers) => Math.min(...numbers), strict),
  max: onNumbers(1, (numbers) => Math.max(...numbers), strict),
}
