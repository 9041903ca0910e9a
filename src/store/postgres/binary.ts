// Owns columns in the server's own form of an array: nothing is quoted here and nothing is parsed there. For a new action that
// is 1.4 us instead of 2.2 in the process and 9 instead of 10.3 in the server. Only for connections that are ours: what a
// caller's own driver makes of bytes is not known.

import { PawlError } from '../../core/errors.ts'
import { sql } from './generated/sql.ts'
import type { StatementName } from './statements.ts'

/** Element types, as the catalog numbers them. */
const TYPES = { text: 25, json: 114, int: 23, bigint: 20, boolean: 16 } as const
type Type = keyof typeof TYPES

/** One dimension, whether some are null, the type, how many, from the first on. */
const HEADER = 20
const NULLS_AT = 7
/** The length of an element before it, and the longest that is no text. */
const FIXED = 12
/** Shorter ones are copied here: a call into the runtime costs more. */
const SHORT = 48
const UTF8_MOST = 3
const TWO_32 = 4_294_967_296

const USUAL = 1 << 18
/** Written into again and again; what is handed on is a copy. */
let bytes = Buffer.allocUnsafeSlow(USUAL)
let at = 0

/** One that grew for a single large batch is not kept. */
const begin = (): void => {
  at = 0
  if (bytes.length > 16 * USUAL) bytes = Buffer.allocUnsafeSlow(USUAL)
}

const reserve = (size: number): void => {
  if (at + size <= bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, at + size))
  bytes.copy(larger, 0, 0, at)
  bytes = larger
}

const writeInt = (value: number): void => {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
  at += 4
}

/** Whether it was short and nothing but ASCII. */
const copyShort = (text: string): boolean => {
  if (text.length >= SHORT) return false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return false
    bytes[at + index] = code
  }
  at += text.length
  return true
}

const writeText = (text: string): void => {
  reserve(4 + text.length * UTF8_MOST)
  const start = at
  at += 4
  if (!copyShort(text)) at += bytes.write(text, at)
  const end = at
  at = start
  writeInt(end - start - 4)
  at = end
}

const whole = (value: unknown, isWhole: boolean): number => {
  if (isWhole) return value as number
  throw new PawlError('commit_refused', `${String(value).slice(0, 80)} is no whole number`)
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const writeElement = (type: Type, value: unknown): void => {
  switch (type) {
    case 'int':
      writeInt(4)
      writeInt(whole(value, (Number(value) | 0) === value))
      return
    case 'bigint': {
      const number = whole(value, Number.isSafeInteger(value))
      writeInt(8)
      writeInt(Math.floor(number / TWO_32))
      writeInt(number)
      return
    }
    case 'boolean':
      writeInt(1)
      bytes[at] = value === true ? 1 : 0
      at += 1
      return
    default:
      writeText(textOf(value))
  }
}

const empty = (type: Type): Buffer => {
  const header = Buffer.alloc(12)
  header.writeInt32BE(TYPES[type], 8)
  return header
}
const EMPTY = Object.fromEntries(
  (Object.keys(TYPES) as Type[]).map((type) => [type, empty(type)]),
) as unknown as Readonly<Record<Type, Buffer>>

const columnOf = (rows: readonly object[], name: string, type: Type): Buffer => {
  begin()
  reserve(HEADER + rows.length * FIXED)
  for (const value of [1, 0, TYPES[type], rows.length, 1]) writeInt(value)
  let silent = 0
  for (const row of rows) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    reserve(FIXED)
    if (value === null || value === undefined) {
      silent += 1
      writeInt(-1)
    } else writeElement(type, value)
  }
  if (silent === rows.length) return EMPTY[type]
  if (silent > 0) bytes[NULLS_AT] = 1
  return Buffer.from(bytes.subarray(0, at))
}

interface Statement {
  readonly text: string
  readonly params: readonly string[]
}

/** What a statement takes each of its parameters for. */
const typesOf = ({ text, params }: Statement): readonly Type[] =>
  params.map((_, index) => {
    const [, type] = new RegExp(`\\$${index + 1}::(\\w+)\\[\\]`).exec(text)!
    return type as Type
  })

const known = new Map<string, readonly Type[]>()

/** The arguments of a statement each of whose parameters is a column of its rows, as bytes. */
export const binaryColumns = (name: StatementName, rows: readonly object[]): Record<string, Buffer> => {
  const statement: Statement = sql[name]
  const types = known.get(statement.text) ?? typesOf(statement)
  known.set(statement.text, types)
  const args: Record<string, Buffer> = {}
  for (const [index, param] of statement.params.entries()) args[param] = columnOf(rows, param, types[index]!)
  return args
}
