// Owns comparing. Texts compare as texts, anything else as numbers. What has no number equals nothing but itself and
// has no order: asking for one fails. With three arguments or more each must compare with the next.

import type { Json } from '../json.ts'
import { burnCharacters, failed, invalid, type Operator, type Point, type Site } from './rule.ts'
import { numeric } from './values.ts'

type Scalar = string | number
type Compare = (left: Json, right: Json, point: Point, site: Site) => boolean

const chained =
  (compare: Compare): Operator =>
  (argument, site) => {
    if (!Array.isArray(argument) || argument.length < 2) throw invalid(site, 'a list of two or more')
    const [first, ...others] = argument.map((item, index) => site.compile(item, String(index)))
    return (point) => {
      let left = first!(point)
      for (const other of others) {
        const right = other(point)
        if (!compare(left, right, point, site)) return false
        left = right
      }
      return true
    }
  }

const isText = (value: Json): value is string | null => typeof value === 'string' || value === null

const loosely = (compare: (left: Scalar, right: Scalar) => boolean, incomparable: Compare): Operator =>
  chained((left, right, point, site) => {
    if (isText(left) && isText(right)) {
      if (left !== null) burnCharacters(point, left)
      return compare(left as Scalar, right as Scalar)
    }
    const leftNumber = numeric(left, point)
    const rightNumber = numeric(right, point)
    return Number.isNaN(leftNumber) || Number.isNaN(rightNumber)
      ? incomparable(left, right, point, site)
      : compare(leftNumber, rightNumber)
  })

const same: Compare = (left, right, point) => {
  if (typeof left === 'string') burnCharacters(point, left)
  return left === right
}
const different: Compare = (left, right, point, site) => !same(left, right, point, site)

const ordered = (compare: (left: Scalar, right: Scalar) => boolean): Operator =>
  loosely(compare, (_left, _right, _point, site) => {
    throw failed(site, 'cannot order these values', 'two texts or two numbers')
  })

export const COMPARE: Readonly<Record<string, Operator>> = {
  '==': loosely((left, right) => left === right, same),
  '!=': loosely((left, right) => left !== right, different),
  '===': chained(same),
  '!==': chained(different),
  '<': ordered((left, right) => left < right),
  '<=': ordered((left, right) => left <= right),
  '>': ordered((left, right) => left > right),
  '>=': ordered((left, right) => left >= right),
}
