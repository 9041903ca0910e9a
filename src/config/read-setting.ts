// Owns reading one value of one setting, whoever gave it: a text of a flag or a variable, or a value of a file.

import { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import { durationMs } from '../core/time/duration.ts'
import { listOf } from './environment.ts'
import type { Kind, Setting } from './settings.ts'

const YES = ['true', '1', 'yes', 'on']
const NO = ['false', '0', 'no', 'off']

const wordsOf = (kind: Kind): string => {
  if (Array.isArray(kind)) return `one of ${kind.join(', ')}`
  return EXPECTED[kind as Exclude<Kind, readonly string[]>]
}

const EXPECTED = {
  text: 'a text',
  number: 'a whole number, 0 or more',
  boolean: 'true or false',
  list: 'a list',
  duration: 'a duration such as 25s',
} as const

/** Undefined: it is not of this kind. */
const read = (kind: Kind, value: Json): Json | undefined => {
  if (typeof kind === 'object') return kind.includes(value as string) ? value : undefined
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'boolean':
      if (typeof value === 'boolean') return value
      if (YES.includes(String(value).toLowerCase())) return true
      return NO.includes(String(value).toLowerCase()) ? false : undefined
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      return Number.isSafeInteger(number) && (number as number) >= 0 ? number : undefined
    }
    case 'list': {
      const items = typeof value === 'string' ? listOf(value) : value
      return Array.isArray(items) && items.every((item) => typeof item === 'string') ? items : undefined
    }
    case 'duration':
      return typeof value === 'string' || typeof value === 'number' ? durationMs(value) : undefined
  }
}

/** `from` says who gave it, as people know it: `--port`, `PAWL_PORT`, `port of pawl.toml`. */
export const readSetting = ({ kind, isSecret }: Setting, value: Json, from: string): Json => {
  const found = read(kind, value)
  if (found !== undefined) return found
  const shown = isSecret
    ? ''
    : ` is “${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)}”`
  const suggestion = Array.isArray(kind) ? nearest(String(value), kind) : undefined
  throw new PawlError('settings_invalid', `${from}${shown === '' ? ' cannot be read' : shown}`, {
    path: from,
    expected: wordsOf(kind),
    ...(suggestion !== undefined && { suggestion }),
  })
}
