// Owns the sections `limits` and `alerts`: what a file and variables say of them together, and who said each. A variable
// wins over the file, for the one value it names. What the values mean is checked where they are used.

import { PawlError } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { FileSettings } from './config-file.ts'
import type { Environment } from './environment.ts'
import type { Resolved } from './resolve.ts'

/** `PAWL_LIMITS__API_CALL__RATE`, `PAWL_LIMITS__ALL__BREAKER__FAILURES`. */
export const LIMIT_VARIABLE = /^PAWL_LIMITS__([A-Z0-9_]+?)__([A-Z0-9_]+?)(?:__([A-Z0-9_]+))?$/
const ALERTS = 'PAWL_ALERTS'

export interface Sections {
  readonly limits: JsonObject
  readonly alerts: Json | undefined
  /** Every value by its path: `limits.email.rate`. */
  readonly said: ReadonlyMap<string, Resolved>
}

const camel = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Types are written in capitals; `ALL` is for every one of them. */
const typeOf = (name: string): string => (name === 'ALL' ? '*' : name.toLowerCase())

const readText = (text: string): Json => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

const leaves = (path: string, value: Json): readonly (readonly [string, Json])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner))
    : [[path, value]]

const place = (into: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject => {
  const inner = into[key!]
  return { ...into, [key!]: rest.length === 0 ? value : place(isObject(inner) ? inner : {}, rest, value) }
}

const alertsIn = (text: string): Json => {
  try {
    return JSON.parse(text)
  } catch {
    throw new PawlError('settings_invalid', `${ALERTS} is no JSON`, {
      path: ALERTS,
      expected: '[{"type": "webhook", "url": "https://…"}]',
    })
  }
}

const typesIn = (alerts: Json): Json => {
  const channels = isObject(alerts) ? (alerts['channels'] ?? []) : alerts
  return Array.isArray(channels)
    ? channels.map((channel) => (isObject(channel) ? (channel['type'] ?? null) : null))
    : null
}

export const resolveSections = (env: Environment, file?: FileSettings): Sections => {
  const said = new Map<string, Resolved>()
  const fromFile = file?.sections['limits']
  let limits: JsonObject = isObject(fromFile) ? fromFile : {}
  for (const [path, value] of leaves('limits', limits)) said.set(path, { value, source: file!.file })
  for (const [name, text] of Object.entries(env)) {
    const [, type, ...keys] = LIMIT_VARIABLE.exec(name) ?? []
    if (type === undefined || text === undefined || text === '') continue
    const path = [typeOf(type), ...keys.filter((key) => key !== undefined).map(camel)]
    limits = place(limits, path, readText(text))
    said.set(['limits', ...path].join('.'), { value: readText(text), source: name })
  }
  const given = env[ALERTS]
  const alerts = given ? alertsIn(given) : (file?.sections['alerts'] as Json | undefined)
  // A channel may have an address that is a secret: only what kind it is of is shown.
  if (alerts !== undefined)
    said.set('alerts', { value: typesIn(alerts), source: given ? ALERTS : file!.file })
  return { limits, alerts, said }
}
