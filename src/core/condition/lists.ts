// Owns walking lists: map, filter, all, some, none, reduce, merge. Every item burns a step, and every item of a list
// that is made, so that no rule can double its way to a list that does not fit.

import type { Json } from '../json.ts'
import { burn, invalid, type Operator, type Point, type Rule, type Site } from './rule.ts'
import { listOf, onValues, truthy } from './values.ts'

/** The arguments [list, what to do with an item]. */
const walker = (
  argument: Json,
  site: Site,
): { readonly list: (point: Point) => readonly Json[]; readonly each: Rule } => {
  if (!Array.isArray(argument) || argument.length < 2)
    throw invalid(site, 'a list, then what to do with an item')
  const source = site.compile(argument[0], '0')
  return { list: (point) => listOf(source(point), site), each: site.compileInner(argument[1], '1') }
}

const inside = (point: Point, data: Json, iterator: readonly Json[], index: number): Point => {
  burn(point, 1)
  return { data, tank: point.tank, around: { point, iterator, index } }
}

const map: Operator = (argument, site) => {
  const { list, each } = walker(argument, site)
  return (point) => list(point).map((item, index, all) => each(inside(point, item, all, index)))
}

const filter: Operator = (argument, site) => {
  const { list, each } = walker(argument, site)
  return (point) =>
    list(point).filter((item, index, all) => truthy(each(inside(point, item, all, index)), point))
}

const some =
  (answer: boolean): Operator =>
  (argument, site) => {
    const { list, each } = walker(argument, site)
    return (point) =>
      list(point).some((item, index, all) => truthy(each(inside(point, item, all, index)), point)) === answer
  }

/** Of no items nothing is said: false, as JSONLogic has it. */
const all: Operator = (argument, site) => {
  const { list, each } = walker(argument, site)
  return (point) => {
    const items = list(point)
    return (
      items.length > 0 && items.every((item, index) => truthy(each(inside(point, item, items, index)), point))
    )
  }
}

/** Without a start the first item is it; of no items and no start there is nothing. */
const reduce: Operator = (argument, site) => {
  const { list, each } = walker(argument, site)
  const start = (argument as readonly Json[]).slice(2, 3).map((rule) => site.compile(rule, '2'))
  return (point) => {
    const items = list(point)
    const [first = null, ...others] = [...start.map((rule) => rule(point)), ...items]
    return others.reduce<Json>(
      (accumulator, current, index) => each(inside(point, { accumulator, current }, items, index)),
      first,
    )
  }
}

const merge: Operator = onValues((values, point) => {
  burn(
    point,
    values.reduce<number>((total, value) => total + (Array.isArray(value) ? value.length : 1), 0),
  )
  return values.flat() as readonly Json[]
})

export const LISTS: Readonly<Record<string, Operator>> = {
  map,
  filter,
  reduce,
  all,
  some: some(true),
  none: some(false),
  merge,
}
