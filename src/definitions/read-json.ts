// Owns reading JSON text, strictly (RFC 8259) and with the offset of every part: JSON.parse says neither where nor
// what it expected, and takes the last of two equal keys. Depth and size are the budget's.

import type { Json } from '../core/json.ts'
import { type Cursor, createCursor } from './json-cursor.ts'
import type { Budget } from './limits.ts'
import type { Mark, Marked } from './marks.ts'
import { type Path, quote } from './problem.ts'

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const LITERALS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])

interface Reading {
  readonly cursor: Cursor
  readonly budget: Budget
}

/** One document, or none if it was rejected. */
export const readJson = (text: string, budget: Budget): readonly Marked[] => {
  const cursor = createCursor(text, budget)
  const root = readValue({ cursor, budget }, [], 0)
  if (cursor.peek() !== '')
    cursor.unexpected([], 'the end of the file: JSON holds one definition, YAML several between --- lines')
  return budget.rejections.length > 0 ? [] : [root]
}

const readValue = (reading: Reading, at: Path, depth: number): Marked => {
  const { cursor, budget } = reading
  const first = cursor.peek()
  const offset = cursor.offset()
  const inside = first === '{' || first === '[' ? depth + 1 : depth
  budget.value(inside, at, offset)
  if (first === '{') return readObject(reading, at, inside)
  if (first === '[') return readArray(reading, at, inside)
  return { value: first === '"' ? readText(reading, at) : readWord(reading, at), mark: { offset } }
}

const readObject = (reading: Reading, at: Path, depth: number): Marked => {
  const { cursor } = reading
  const offset = cursor.offset()
  const value: Record<string, Json> = {}
  const members = new Map<string, { key: number; mark: Mark }>()
  cursor.skip(1)
  if (cursor.take('}')) return { value, mark: { offset, members } }
  do {
    const { name, key } = readKey(reading, at, members)
    if (!cursor.take(':')) cursor.unexpected([...at, name], 'a colon between key and value')
    const member = readValue(reading, [...at, name], depth)
    // Already refused; assigned, it would become the prototype.
    if (name !== '__proto__') value[name] = member.value
    members.set(name, { key, mark: member.mark })
  } while (hasMore(reading, at, '}'))
  if (!cursor.take('}')) cursor.unexpected(at, 'a comma or }')
  return { value, mark: { offset, members } }
}

const readKey = (
  { cursor, budget }: Reading,
  at: Path,
  known: ReadonlyMap<string, unknown>,
): { readonly name: string; readonly key: number } => {
  if (cursor.peek() !== '"')
    cursor.unexpected(at, known.size === 0 ? 'a key in double quotes, or }' : 'a key in double quotes')
  const key = cursor.offset()
  const name = cursor.quoted(at)
  budget.key([...at, name], key, known.has(name))
  return { name, key }
}

const readArray = (reading: Reading, at: Path, depth: number): Marked => {
  const { cursor } = reading
  const offset = cursor.offset()
  const parts: Marked[] = []
  cursor.skip(1)
  if (cursor.take(']')) return { value: [], mark: { offset, items: [] } }
  do parts.push(readValue(reading, [...at, parts.length], depth))
  while (hasMore(reading, at, ']'))
  if (!cursor.take(']')) cursor.unexpected(at, 'a comma or ]')
  return { value: parts.map(({ value }) => value), mark: { offset, items: parts.map(({ mark }) => mark) } }
}

const hasMore = ({ cursor, budget }: Reading, at: Path, closing: string): boolean => {
  const comma = cursor.peek() && cursor.offset()
  if (!cursor.take(',')) return false
  if (cursor.peek() === closing)
    budget.stop(at, Number(comma), `a comma stands before ${closing}`, 'no comma after the last one')
  return true
}

const readText = ({ cursor, budget }: Reading, at: Path): string => {
  const offset = cursor.offset()
  const value = cursor.quoted(at)
  budget.text(value, at, offset)
  return value
}

const readWord = ({ cursor, budget }: Reading, at: Path): Json => {
  const word = cursor.word()
  const number = cursor.match(NUMBER)
  const literal = LITERALS.get(word)
  if (number && number[0] === word) {
    const [, fraction, exponent] = number
    budget.number(Number(word), fraction === undefined && exponent === undefined, at, cursor.offset())
    cursor.skip(word.length)
    return Number(word)
  }
  if (/^[-+.]?\d/.test(word))
    return budget.stop(
      at,
      cursor.offset(),
      `${quote(word)} is not a number of JSON`,
      'digits without + or leading zeros, such as 30 or 0.5',
    )
  if (literal === undefined)
    return cursor.unexpected(at, 'a value: text in double quotes, a number, true, false, null, {…} or […]')
  cursor.skip(word.length)
  return literal
}
