// Owns reading the data of a rule: var, missing, missing_some. Own properties only, so a prototype is never reached;
// nothing is copied. Inside an iteration `../index` is the item's position and `../../x` reads what lies around.

import type { Json } from '../json.ts'
import { lookup } from '../template/path.ts'
import { burn, burnCharacters, failed, type Operator, type Point, type Rule, type Site } from './rule.ts'
import { listOf, numeric, onValues } from './values.ts'

interface Address {
  /** How many levels up; an iteration counts for two, itself and what lies around. */
  readonly up: number
  readonly segments: readonly string[]
}

const UP = '../'

/** No path at all is the data itself. */
const addressOf = (path: string): Address => {
  let up = 0
  while (path.startsWith(UP, up * UP.length)) up++
  const rest = path.slice(up * UP.length)
  return { up, segments: rest === '' ? [] : split(rest) }
}

/** Dots separate; after a backslash a dot belongs to the name. */
const split = (path: string): readonly string[] => {
  if (!path.includes('\\')) return path.split('.')
  const segments = ['']
  for (const [piece] of path.matchAll(/\\[./\\]|./gs)) {
    if (piece === '.') segments.push('')
    else segments.push(segments.pop()! + piece.at(-1)!)
  }
  return segments
}

const read = (point: Point, { up, segments }: Address): Json | undefined => {
  burn(point, segments.length)
  return lookup(climb(point, up), segments)
}

const climb = (from: Point, up: number): Json | undefined => {
  let point = from
  for (let left = up; left > 1; left -= 2) {
    if (point.around === undefined) return undefined
    point = point.around.point
  }
  if (up % 2 === 0) return point.data
  return point.around && { iterator: point.around.iterator, index: point.around.index }
}

const pathOf = (value: Json, point: Point, site: Site): string => {
  if (typeof value === 'object' && value !== null)
    throw failed(site, 'cannot read this path', 'a text or a number')
  const path = String(value ?? '')
  burnCharacters(point, path)
  return path
}

const variable: Operator = (argument, site) => {
  const [path = '', instead = null] = Array.isArray(argument) ? argument : [argument]
  const fallback = site.compile(instead, '1')
  if (typeof path !== 'object' || path === null) {
    const address = addressOf(String(path ?? ''))
    if (address.up === 0) site.reads(address.segments)
    return (point) => orElse(read(point, address), fallback, point)
  }
  const dynamic = site.compile(path, '0')
  return (point) => orElse(read(point, addressOf(pathOf(dynamic(point), point, site))), fallback, point)
}

/** For what is absent; null is a value. */
const orElse = (value: Json | undefined, fallback: Rule, point: Point): Json =>
  value === undefined ? fallback(point) : value

const missingOf = (paths: readonly Json[], point: Point, site: Site): readonly Json[] => {
  burn(point, paths.length)
  return paths.filter((path) => read(point, addressOf(pathOf(path, point, site))) === undefined)
}

export const DATA: Readonly<Record<string, Operator>> = {
  var: variable,
  missing: onValues(missingOf),
  missing_some: onValues(([needed = null, options = null], point, site) => {
    const paths = listOf(options, site)
    const missing = missingOf(paths, point, site)
    return paths.length - missing.length >= numeric(needed, point) ? [] : missing
  }),
}
