// Owns keeping secrets out of what is written down: logs, errors, attempts, results (S34, S43, I12). It knows the values
// that this process has used and replaces each, in any usual encoding, by `‹secret:name›`.
// R1  A value in use is never forgotten. Others are, the one used longest ago first, when there are too many.
// R2  Texts are best cleaned before they are cut; of one that was cut inside a value, that beginning is taken out too.

import { isObject, type Json, MAX_JSON_DEPTH } from '../core/json.ts'
import { createMatcher } from './matcher.ts'
import { MIN_LENGTH } from './needles.ts'

export interface Redactor {
  /** Call what it returns when the value is no longer in use: it is still known then, as long as there is room. */
  readonly learn: (secret: { readonly name: string; readonly value: string }) => () => void
  /** The same without secrets; the very same when there are none in it. */
  readonly clean: Clean
}

interface Clean {
  (text: string): string
  (value: Json): Json
}

export interface RedactorLimits {
  readonly values: number
  /** Of all values together; their encodings take some fifteen times as much. */
  readonly characters: number
}

const LIMITS: RedactorLimits = { values: 1000, characters: 1024 * 1024 }

interface Label {
  /** Undefined: known by two names, perhaps of two tenants, of whom one should not read the other's. */
  name: string | undefined
}

interface Known {
  readonly label: Label
  readonly drop: () => void
  held: number
}

export const createRedactor = (limits: RedactorLimits = LIMITS): Redactor => {
  const matcher = createMatcher<Label>()
  /** Used longest ago first. */
  const known = new Map<string, Known>()
  let characters = 0

  const add = (name: string, value: string): Known => {
    const label: Label = { name }
    characters += value.length
    return { label, drop: matcher.add(value, label), held: 0 }
  }
  const makeRoom = (): void => {
    for (const [value, { held, drop }] of known) {
      if (known.size <= limits.values && characters <= limits.characters) return
      if (held > 0) continue
      drop()
      known.delete(value)
      characters -= value.length
    }
  }

  const learn: Redactor['learn'] = ({ name, value }) => {
    const entry = known.get(value) ?? add(name, value)
    if (entry.label.name !== name) entry.label.name = undefined
    entry.held++
    known.delete(value)
    known.set(value, entry)
    makeRoom()
    let holds = 1
    return () => {
      entry.held -= holds
      holds = 0
      makeRoom()
    }
  }

  const cleanText = (text: string): string => {
    let [cleaned, done] = ['', 0]
    for (const { start, end, owner } of matcher.find(text)) {
      cleaned += text.slice(done, start) + shown(owner)
      done = end
    }
    return done === 0 ? text : cleaned + text.slice(done)
  }
  const clean = (value: Json): Json => (known.size === 0 ? value : cleanJson(value, cleanText, 0))
  return { learn, clean: clean as Clean }
}

const shown = ({ name }: Label): string => (name === undefined ? '‹secret›' : `‹secret:${name}›`)

const cleanJson = (value: Json, cleanText: (text: string) => string, depth: number): Json => {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number') return cleanNumber(value, cleanText)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_JSON_DEPTH) return '‹too deep to be read›'
  const below = (member: Json): Json => cleanJson(member, cleanText, depth + 1)
  if (!isObject(value)) return sameOr(value, value.map(below))
  const members = Object.entries(value).map(([key, member]) => [cleanText(key), below(member)] as const)
  const isSame = Object.keys(value).every(
    (key, at) => members[at]![0] === key && members[at]![1] === value[key],
  )
  return isSame ? value : Object.fromEntries(members)
}

/** A code of digits is a number where somebody's JSON says so. */
const cleanNumber = (value: number, cleanText: (text: string) => string): Json => {
  const text = String(value)
  const cleaned = text.length < MIN_LENGTH ? text : cleanText(text)
  return cleaned === text ? value : cleaned
}

const sameOr = (items: readonly Json[], cleaned: readonly Json[]): readonly Json[] =>
  cleaned.every((item, at) => Object.is(item, items[at])) ? items : cleaned
