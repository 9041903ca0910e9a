// Owns the same limits for a value that somebody else has parsed (a request's body, a program's object): what comes
// out is a copy, plain JSON, within S31, or there are problems. Nothing of the given object is kept.

import type { Json } from '../core/json.ts'
import { type Budget, createBudget } from './limits.ts'
import type { Path, Problem } from './problem.ts'
import { untilStopped } from './rejections.ts'

export const readValue = (
  value: unknown,
): { readonly value: Json; readonly problems: readonly Problem[] } => {
  const budget = createBudget()
  const copy = untilStopped(() => copyOf(value, [], 0, budget)) ?? null
  return { value: copy, problems: budget.rejections.map(({ problem }) => problem) }
}

const copyOf = (value: unknown, at: Path, depth: number, budget: Budget): Json => {
  budget.value(typeof value === 'object' && value !== null ? depth + 1 : depth, at, 0)
  switch (typeof value) {
    case 'string':
      budget.text(value, at, 0)
      return value
    case 'number':
      budget.number(value, Number.isInteger(value) && Math.abs(value) < 1e21, at, 0)
      return value
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyOfObject(value, at, depth + 1, budget)
    default:
      budget.reject(
        at,
        0,
        `a value of type ${typeof value} is not JSON`,
        'text, a number, true, false, null, {…} or […]',
      )
      return null
  }
}

const copyOfObject = (value: object, at: Path, depth: number, budget: Budget): Json => {
  if (Array.isArray(value))
    return Array.from(value, (item, index) => copyOf(item, [...at, index], depth, budget))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    budget.reject(at, 0, 'an object of a class is not JSON', 'a plain object')
    return null
  }
  const copy: Record<string, Json> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const inside = [...at, key]
    budget.key(inside, 0, false)
    const part = copyOf(member, inside, depth, budget)
    if (key !== '__proto__') copy[key] = part
  }
  return copy
}
