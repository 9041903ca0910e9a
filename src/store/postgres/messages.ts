// Owns the messages in which a statement is asked of the server (the extended query protocol), one behind the other into the
// scratch buffer. pg has them too, each into a buffer of its own that grows from 256 bytes and is handed to the socket by
// itself: some percent of what a step costs in the process.

import { elementOf } from './literal.ts'
import {
  position,
  reserve,
  setInt,
  writeByte,
  writeBytes,
  writeInt,
  writeName,
  writeShort,
  writeText,
} from './scratch.ts'

const code = (letter: string): number => letter.charCodeAt(0)
const [PARSE, BIND, DESCRIBE, EXECUTE, FLUSH, SYNC] = [...'PBDEHS'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const PORTAL = code('P')

/** The longest head of a message, or part of one, that is neither a name nor a value. */
const SMALL = 16

/** Text, and bytes as they are. */
const [AS_TEXT, AS_BYTES] = [0, 1]

/** Its code, and room for its length. Answers where that is. */
const open = (letter: number): number => {
  reserve(SMALL)
  writeByte(letter)
  const start = position()
  writeInt(0)
  return start
}

const close = (start: number): void => setInt(start, position() - start)

export const writeParse = (name: string, text: string): void => {
  const start = open(PARSE)
  writeName(name)
  writeName(text)
  reserve(SMALL)
  writeShort(0)
  close(start)
}

/** As the server reads it: bytes as they are, lists in its own notation. */
const writeValue = (value: unknown): void => {
  if (value === null || value === undefined) {
    reserve(SMALL)
    writeInt(-1)
  } else if (Buffer.isBuffer(value)) writeBytes(value)
  else writeText(Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : String(value))
}

export const writeBind = (name: string, values: readonly unknown[]): void => {
  const start = open(BIND)
  writeName('')
  writeName(name)
  reserve(SMALL + 2 * values.length)
  writeShort(values.length)
  for (const value of values) writeShort(Buffer.isBuffer(value) ? AS_BYTES : AS_TEXT)
  writeShort(values.length)
  for (const value of values) writeValue(value)
  reserve(SMALL)
  writeShort(1)
  writeShort(AS_TEXT)
  close(start)
}

export const writeDescribe = (): void => {
  const start = open(DESCRIBE)
  writeByte(PORTAL)
  writeByte(0)
  close(start)
}

export const writeExecute = (): void => {
  const start = open(EXECUTE)
  writeByte(0)
  writeInt(0)
  close(start)
}

export const writeFlush = (): void => close(open(FLUSH))
export const writeSync = (): void => close(open(SYNC))
