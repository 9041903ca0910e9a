// Owns rules as they stand in files and requests: words, or the same rule as data. Checks every field with its path,
// and that the names a rule uses exist.

import { PawlError } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import { nearest } from '../suggest.ts'
import type { DayUnit } from './calendar.ts'
import { durationMs } from './duration.ts'
import { DEFAULT_TIME, MAX_COUNT, NAME, type Rule } from './rule.ts'
import { parseRule } from './rule-words.ts'
import { parseTime, printTime } from './time-of-day.ts'

const FIELDS: Readonly<Record<Rule['kind'], readonly string[]>> = {
  offset: ['kind', 'direction', 'count', 'unit', 'anchor', 'time'],
  on: ['kind', 'anchor', 'time'],
  elapsed: ['kind', 'ms', 'step'],
}
const KINDS = Object.keys(FIELDS) as readonly Rule['kind'][]
const DIRECTIONS = ['before', 'after'] as const
const UNITS: readonly DayUnit[] = ['day', 'week', 'business_day']

const refuse = (message: string, path: string, expected: string, suggestion?: string): PawlError =>
  new PawlError('invalid_rule', message, {
    path,
    expected,
    ...(suggestion === undefined ? {} : { suggestion }),
  })

const oneOf = <Word extends string>(value: unknown, words: readonly Word[], path: string): Word => {
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  throw refuse(`${path} is not one of its words`, path, words.join(' | '), nearest(String(value), words))
}

const nameAt = (value: unknown, path: string): string => {
  if (typeof value === 'string' && NAME.test(value)) return value
  throw refuse(`${path} is not a name`, path, 'letters, digits, “_”, “.” and “-”')
}

const timeAt = (value: unknown, path: string): string => {
  if (typeof value === 'string') return printTime(parseTime(value, path))
  throw refuse(`${path} is not a time of day`, path, 'HH:MM')
}

const fromData = (data: JsonObject, path: string): Rule => {
  const kind = oneOf(data['kind'], KINDS, `${path}.kind`)
  const stranger = Object.keys(data).find((key) => !FIELDS[kind].includes(key))
  if (stranger !== undefined)
    throw refuse(
      `“${stranger.slice(0, 80)}” is not a field of this rule`,
      `${path}.${stranger.slice(0, 80)}`,
      FIELDS[kind].join(', '),
      nearest(stranger, FIELDS[kind]),
    )
  if (kind === 'elapsed') {
    const { ms } = data
    if (typeof ms !== 'number' || ms < 1000 || ms % 1000 !== 0)
      throw refuse(
        `${path}.ms is not a number of whole seconds`,
        `${path}.ms`,
        'milliseconds, such as 10800000',
      )
    return { kind, ms: durationMs(ms, `${path}.ms`), step: nameAt(data['step'], `${path}.step`) }
  }
  const anchor = data['anchor'] === undefined ? {} : { anchor: nameAt(data['anchor'], `${path}.anchor`) }
  const time = timeAt(data['time'] ?? DEFAULT_TIME, `${path}.time`)
  if (kind === 'on') return { kind, ...anchor, time }
  const { count } = data
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw refuse(`${path}.count is not a count`, `${path}.count`, `a whole number from 1 to ${MAX_COUNT}`)
  const direction = oneOf(data['direction'], DIRECTIONS, `${path}.direction`)
  return { kind, direction, count, unit: oneOf(data['unit'], UNITS, `${path}.unit`), ...anchor, time }
}

/** Words or data. */
export const ruleFrom = (value: unknown, path: string): Rule => {
  if (typeof value === 'string') return parseRule(value, path)
  if (isObject(value)) return fromData(value, path)
  throw refuse(`${path} is not a time rule`, path, 'words such as 42 days before at 09:00, or data')
}

export interface Names {
  readonly anchors: readonly string[]
  readonly steps: readonly string[]
}

/** Refuses a rule whose name is no date and no step, or that counts hours from a date. */
export const assertNames = (rule: Rule, names: Names, path: string): void => {
  const name = rule.kind === 'elapsed' ? rule.step : rule.anchor
  if (name === undefined) return
  const known = rule.kind === 'elapsed' ? names.steps : [...names.anchors, ...names.steps]
  if (known.includes(name)) return
  if (names.anchors.includes(name))
    throw refuse(`“${name}” is a date: hours are counted after a step`, path, 'the name of a step')
  throw refuse(`“${name}” is not known`, path, known.join(', '), nearest(name, known))
}
