// Owns one field of numbers: lists, ranges (also backwards over the end: FRI-MON, 22-4), steps and names, into a sorted
// set. L, W, # and ? belong to parse-days.ts. Every refusal names the field, the value, what is allowed and a way out.

import { PawlError } from '../../errors.ts'
import { nearest } from '../../suggest.ts'
import { FIRST_YEAR, LAST_NAMED_YEAR } from './cron.ts'

export interface FieldSpec {
  readonly name: string
  readonly min: number
  readonly max: number
  /** How many different values there are: 7 weekdays, though 0 and 7 are both Sunday. */
  readonly size: number
  /** In order from `min`. */
  readonly names: readonly string[]
  /** After the last value comes the first. */
  readonly isCycle: boolean
}

const cycle = (name: string, min: number, max: number, names: readonly string[] = []): FieldSpec => ({
  name,
  min,
  max,
  size: max - min + 1,
  names,
  isCycle: true,
})

export const SECOND: FieldSpec = cycle('second', 0, 59)
export const MINUTE: FieldSpec = cycle('minute', 0, 59)
export const HOUR: FieldSpec = cycle('hour', 0, 23)
/** Months differ in length, so which days 28-3 names would depend on the month. */
export const MONTH_DAY: FieldSpec = { ...cycle('day of month', 1, 31), isCycle: false }
export const MONTH: FieldSpec = cycle(
  'month',
  1,
  12,
  'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
)
export const WEEKDAY: FieldSpec = {
  ...cycle('day of week', 0, 7, 'SUN MON TUE WED THU FRI SAT'.split(' ')),
  size: 7,
}
const CLOCK: readonly FieldSpec[] = [SECOND, MINUTE, HOUR]
export const YEAR: FieldSpec = { ...cycle('year', FIRST_YEAR, LAST_NAMED_YEAR), isCycle: false }

/** `*`, `5`, `1-5`, each with or without a step. */
const ITEM = /^(?:\*|([^-/]+)(?:-([^-/]+))?)(?:\/([^-/]+))?$/

const allowed = ({ name, min, max, names }: FieldSpec): string =>
  `${name} ${min}–${max}${names.length === 0 ? '' : ` or ${names[0]}–${names.at(-1)}`}`

export const refusal = (
  field: FieldSpec,
  value: string,
  { why, expected, suggestion }: { why: string; expected?: string; suggestion: string },
): PawlError =>
  new PawlError('invalid_cron', `${field.name} “${value.slice(0, 80)}” ${why}`, {
    field: field.name,
    value: value.slice(0, 80),
    expected: expected ?? allowed(field),
    suggestion,
  })

/** What to write when nothing better is known. Never `*` for a clock field: that would fire all the time. */
const plain = (field: FieldSpec): string => (CLOCK.includes(field) ? '0' : '*')

/** Whole names (SUNDAY), then typing errors. */
const nameLike = (field: FieldSpec, text: string): string =>
  field.names.find((name) => text.startsWith(name)) ?? nearest(text, field.names) ?? plain(field)

export const readValue = (field: FieldSpec, text: string): number => {
  if (!/^\d+$/.test(text)) {
    const index = field.names.indexOf(text)
    if (index >= 0) return field.min + index
    throw refusal(field, text, {
      why: field.names.length === 0 ? 'is not a number' : 'is not a number or a name',
      suggestion: nameLike(field, text),
    })
  }
  const value = Number(text)
  if (value >= field.min && value <= field.max) return value
  const isOneOver = field.isCycle && value === field.max + 1
  throw refusal(field, text, {
    why: 'is out of range',
    suggestion: String(isOneOver || value < field.min ? field.min : field.max),
  })
}

const readStep = (field: FieldSpec, item: string, text: string): number => {
  const step = /^\d+$/.test(text) ? Number(text) : 0
  if (step >= 1 && step < field.size) return step
  throw refusal(field, item, {
    why: step === 0 ? 'has no step of 1 or more' : 'steps over the whole field',
    expected: `a step of 1–${field.size - 1}`,
    suggestion:
      CLOCK.includes(field) && step > 0 && step < 1000 ? `every ${step}${field.name[0]}` : plain(field),
  })
}

/** Of a range that runs backwards: on past the last value of a cycle, else refused. */
const wrap = (field: FieldSpec, item: string, from: number, to: number): number => {
  if (field.isCycle) return to + field.size
  const suggestion = `${from}-${field.max},${field.min}-${to}`
  throw refusal(field, item, { why: 'runs backwards', suggestion })
}

const readItem = (field: FieldSpec, item: string): readonly number[] => {
  const last = field.min + field.size - 1
  const match = ITEM.exec(item)
  if (match === null)
    throw refusal(field, item, {
      why: item === '' ? 'is empty' : 'is not a range',
      expected: `${allowed(field)}, a range such as ${field.min}-${last} or a list`,
      suggestion: plain(field),
    })
  const [, first, second, stepText] = match
  const step = stepText === undefined ? 1 : readStep(field, item, stepText)
  const from = first === undefined ? field.min : readValue(field, first)
  const isSingle = first !== undefined && stepText === undefined
  const to = second === undefined ? (isSingle ? from : last) : readValue(field, second)
  const end = to >= from ? to : wrap(field, item, from, to)
  const values: number[] = []
  for (let value = from; value <= end; value += step)
    values.push(field.min + ((value - field.min) % field.size))
  return values
}

/** The items of a field, in capitals. `*` stands alone. */
export const itemsOf = (field: FieldSpec, text: string): readonly string[] => {
  const items = text.toUpperCase().split(',')
  if (items.length > 1 && items.includes('*'))
    throw refusal(field, text, { why: 'lists more beside *, which names them all', suggestion: '*' })
  return items
}

export const readItems = (field: FieldSpec, items: readonly string[]): readonly number[] =>
  [...new Set(items.flatMap((item) => readItem(field, item)))].sort((a, b) => a - b)

export const readField = (field: FieldSpec, text: string): readonly number[] =>
  readItems(field, itemsOf(field, text))
