// Owns the syntax of placeholders: a text becomes parts, `{{ path | filter: argument, … }}` becomes an expression.
// Knows no filter by name and no variable. Reads each character once; a text in quotes may hold `{{` and `}}`.

import { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'
import { NAME, quote, written } from './shown.ts'

const MAX_TEMPLATE_LENGTH: number = 64 * 1024
const MAX_FILTERS = 10

export interface Literal {
  readonly kind: 'literal'
  readonly value: Json
}
export interface Path {
  readonly kind: 'path'
  readonly segments: readonly string[]
}
export type Operand = Literal | Path

export interface Call {
  readonly filter: string
  readonly args: readonly Operand[]
  readonly offset: number
}
export interface Expression {
  readonly kind: 'expression'
  /** The placeholder as written, braces included. */
  readonly source: string
  readonly offset: number
  readonly head: Operand
  readonly calls: readonly Call[]
}
export interface Secret {
  readonly kind: 'secret'
  readonly name: string
  /** `{{secrets.name}}`, however it was spaced. */
  readonly text: string
}
export interface Text {
  readonly kind: 'text'
  readonly text: string
}
export type Part = Text | Secret | Expression

interface Cursor {
  readonly text: string
  /** Where the placeholder being read begins. */
  readonly open: number
  at: number
}

const SPACE = /\s*/y
const QUOTED = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy
const NUMBER = /-?\d+(?:\.\d+)?/y
const KEY = /\d+|'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy
const WORDS: ReadonlyMap<string, Json> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

export const parse = (text: string): readonly Part[] => {
  if (text.length > MAX_TEMPLATE_LENGTH)
    throw new PawlError('template_limit_exceeded', `a template of ${text.length} characters is too long`, {
      expected: `at most ${MAX_TEMPLATE_LENGTH}`,
    })
  const parts: Part[] = []
  let from = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    if (open !== from) parts.push({ kind: 'text', text: text.slice(from, open) })
    const cursor = { text, open, at: open }
    parts.push(placeholder(cursor))
    from = cursor.at
  }
  if (from !== text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

const placeholder = (cursor: Cursor): Expression | Secret => {
  expect(cursor, '{{')
  const head = operand(cursor)
  const calls: Call[] = []
  while (accept(cursor, '|')) calls.push(call(cursor))
  expect(cursor, '}}')
  const source = cursor.text.slice(cursor.open, cursor.at)
  if (calls.length > MAX_FILTERS)
    throw new PawlError('template_limit_exceeded', `${quote(source)} has ${calls.length} filters`, {
      offset: cursor.open,
      expected: `at most ${MAX_FILTERS}`,
    })
  return isSecret(head)
    ? secret(head, calls, source, cursor.open)
    : { kind: 'expression', source, offset: cursor.open, head, calls }
}

const call = (cursor: Cursor): Call => {
  take(cursor, SPACE)
  const offset = cursor.at
  const filter = take(cursor, NAME)
  if (filter === '') throw unexpected(cursor, 'the name of a filter')
  const args: Operand[] = []
  if (accept(cursor, ':')) {
    args.push(argument(cursor))
    while (accept(cursor, ',')) args.push(argument(cursor))
  }
  return { filter, args, offset }
}

const argument = (cursor: Cursor): Operand => {
  const found = operand(cursor)
  if (isSecret(found)) throw misused(cursor.text.slice(cursor.open, cursor.at), cursor.open, NOT_AN_ARGUMENT)
  return found
}

const operand = (cursor: Cursor): Operand => {
  take(cursor, SPACE)
  const quoted = take(cursor, QUOTED)
  if (quoted !== '') return { kind: 'literal', value: unquoted(quoted) }
  const number = take(cursor, NUMBER)
  if (number !== '') return { kind: 'literal', value: Number(number) }
  const root = take(cursor, NAME)
  if (root === '') throw unexpected(cursor, 'a name such as execution.id, a text in quotes or a number')
  const segments = [root]
  for (let next = segment(cursor); next !== undefined; next = segment(cursor)) segments.push(next)
  const word = segments.length === 1 ? WORDS.get(root) : undefined
  return word === undefined ? { kind: 'path', segments } : { kind: 'literal', value: word }
}

const segment = (cursor: Cursor): string | undefined => {
  if (skip(cursor, '.')) {
    const name = take(cursor, NAME)
    if (name === '') throw unexpected(cursor, 'a name after the dot')
    return name
  }
  if (!skip(cursor, '[')) return undefined
  const key = take(cursor, KEY)
  if (key === '' || !skip(cursor, ']')) throw unexpected(cursor, 'an index or a key in quotes, then ]')
  return /^\d/.test(key) ? key : unquoted(key)
}

const isSecret = (found: Operand): found is Path => found.kind === 'path' && found.segments[0] === 'secrets'

const NOT_AN_ARGUMENT = 'a secret cannot be the argument of a filter'

/** A filtered secret could not stay a reference until the runner fills it in. */
const secret = (head: Path, calls: readonly Call[], source: string, offset: number): Secret => {
  if (calls.length > 0) throw misused(source, offset, 'a secret takes no filters')
  const [, name = '', ...below] = head.segments
  if (below.length > 0 || !/^[\w-]+$/.test(name)) throw misused(source, offset, 'a secret has one plain name')
  return { kind: 'secret', name, text: `{{${written(head.segments)}}}` }
}

const misused = (source: string, offset: number, why: string): PawlError =>
  new PawlError('invalid_template', `${quote(source)}: ${why}`, { offset, expected: '{{secrets.name}}' })

/** A backslash takes the next character as it is. */
const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

const take = (cursor: Cursor, pattern: RegExp): string => {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (found === null) return ''
  cursor.at = pattern.lastIndex
  return found[0]
}

const skip = (cursor: Cursor, mark: string): boolean => {
  const found = cursor.text.startsWith(mark, cursor.at)
  if (found) cursor.at += mark.length
  return found
}

const accept = (cursor: Cursor, mark: string): boolean => {
  take(cursor, SPACE)
  return skip(cursor, mark)
}

const expect = (cursor: Cursor, mark: string): void => {
  if (!accept(cursor, mark)) throw unexpected(cursor, mark)
}

const unexpected = ({ text, open, at }: Cursor, expected: string): PawlError => {
  const source = quote(text.slice(open))
  return at === text.length
    ? new PawlError('invalid_template', `${source} is not closed`, {
        offset: open,
        expected: '}} at its end, or {{ "{{" }} to print two braces',
      })
    : new PawlError('invalid_template', `${source} cannot be read at ${quote(text.slice(at))}`, {
        offset: at,
        expected,
      })
}
