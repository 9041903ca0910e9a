// Owns the filters: what each takes, and what it makes of a value. A filter answers undefined when it cannot use the
// value; call.ts turns that into an error that names the filter and never the value.

import { isObject, type Json } from '../json.ts'
import { momentOf, writeMoment } from './date-format.ts'
import { type Meter, toil } from './meter.ts'
import { writeNumber } from './number-format.ts'
import { ANY, CURRENCY, DIGITS, FORMAT, LENGTH, LOCALE, type Param, TEXT, ZONE } from './params.ts'
import { textOf } from './text.ts'

export interface Filter {
  /** What it can be used on, for the error. */
  readonly takes: string
  readonly params: readonly Param[]
  /** Those that may be left out; they come last. */
  readonly optional?: readonly Param[]
  readonly apply: (value: Json, args: readonly Json[], meter: Meter) => Json | undefined
}

const DEFAULT_LOCALE = 'en'

/** On texts only, without arguments. */
const ofText = (change: (text: string) => string): Filter => ({
  takes: 'a text',
  params: [],
  apply: (value) => (typeof value === 'string' ? change(value) : undefined),
})

const ofList = (choose: (list: readonly Json[]) => Json | undefined): Filter => ({
  takes: 'a list',
  params: [],
  apply: (value) => (Array.isArray(value) ? (choose(value) ?? null) : undefined),
})

const date: Filter = {
  takes: 'a date (YYYY-MM-DD), or an instant (RFC 3339 or epoch milliseconds) together with a time zone',
  params: [FORMAT],
  optional: [ZONE],
  apply: (value, [format, zone]) => {
    const moment = momentOf(value, zone as string | undefined)
    return moment && writeMoment(format as string, moment)
  },
}

const number: Filter = {
  takes: 'a number',
  params: [DIGITS],
  optional: [LOCALE],
  apply: (value, [digits, locale = DEFAULT_LOCALE]) =>
    writeNumber(value, locale as string, {
      minimumFractionDigits: digits as number,
      maximumFractionDigits: digits as number,
    }),
}

const currency: Filter = {
  takes: 'a number',
  params: [CURRENCY],
  optional: [LOCALE],
  apply: (value, [code, locale = DEFAULT_LOCALE]) =>
    writeNumber(value, locale as string, { style: 'currency', currency: code as string }),
}

const fallback: Filter = {
  takes: 'anything',
  params: [ANY],
  apply: (value, [instead]) => value ?? instead,
}

const json: Filter = {
  takes: 'anything',
  params: [],
  apply: (value) => JSON.stringify(value),
}

const join: Filter = {
  takes: 'a list',
  params: [TEXT],
  apply: (value, [between], meter) => {
    if (!Array.isArray(value)) return undefined
    toil(meter, value.length * (between as string).length)
    return value.map(textOf).join(between as string)
  },
}

/** One character for people, two for a JavaScript string. */
const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/gu

const size: Filter = {
  takes: 'a text, a list or an object',
  params: [],
  apply: (value) => {
    if (typeof value === 'string') return value.replaceAll(BEYOND_16_BITS, '_').length
    if (Array.isArray(value)) return value.length
    return isObject(value) ? Object.keys(value).length : undefined
  },
}

/** Counts characters as people do, roughly: never half of an emoji. */
const truncate: Filter = {
  takes: 'a text',
  params: [LENGTH],
  apply: (value, [length]) => {
    if (typeof value !== 'string') return undefined
    const characters = [...value]
    return characters.length > (length as number)
      ? `${characters.slice(0, (length as number) - 1).join('')}…`
      : value
  },
}

const url: Filter = {
  takes: 'a well-formed text, a number or a boolean',
  params: [],
  apply: (value) => {
    if (typeof value === 'object') return undefined
    const text = textOf(value)
    return text.isWellFormed() ? encodeURIComponent(text) : undefined
  },
}

export const FILTERS: ReadonlyMap<string, Filter> = new Map(
  Object.entries({
    capitalize: ofText((text) => text.replace(/^./u, (first) => first.toUpperCase())),
    currency,
    date,
    default: fallback,
    first: ofList((list) => list.at(0)),
    join,
    json,
    last: ofList((list) => list.at(-1)),
    lower: ofText((text) => text.toLowerCase()),
    number,
    size,
    trim: ofText((text) => text.trim()),
    truncate,
    upper: ofText((text) => text.toUpperCase()),
    url,
  }),
)
