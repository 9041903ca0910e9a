import { afterEach, expect, it } from 'vitest'
import { writeBind, writeDescribe, writeExecute, writeFlush, writeParse, writeSync } from './messages.ts'
import { begin, taken } from './scratch.ts'

afterEach(begin)

const written = (write: () => void): Buffer => {
  begin()
  write()
  return taken()
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt16BE(value, 2 * index)
  return bytes
}

/** As the protocol has it: a letter, the length of all behind the letter, and what it says. */
const message = (letter: string, ...parts: readonly (Buffer | string)[]): Buffer => {
  const said = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([Buffer.from(letter), int32(said.length + 4), said])
}
const text = (value: string): Buffer => Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)])

it('a statement is named and has its text', () => {
  const sql = 'select $1::text, ’ü’'
  expect(written(() => writeParse('find', sql))).toEqual(message('P', 'find\0', `${sql}\0`, int16(0)))
})

it('values are bytes as they are, and texts; a list is in the notation of the server, and nothing has no length', () => {
  const long = 'a long text, ü, '.repeat(50)
  const values = [Buffer.from([0, 1, 255]), 'ü', long, 7, true, null, undefined, ['a', 'b "c"'], '']
  const formats = int16(1, 0, 0, 0, 0, 0, 0, 0, 0)
  const told = [
    Buffer.concat([int32(3), Buffer.from([0, 1, 255])]),
    text('ü'),
    text(long),
    text('7'),
    text('true'),
    int32(-1),
    int32(-1),
    text('{"a","b \\"c\\""}'),
    text(''),
  ]
  expect(written(() => writeBind('find', values))).toEqual(
    message('B', '\0', 'find\0', int16(9), formats, int16(9), ...told, int16(1, 0)),
  )
})

it('a bundle is one message behind the other', () => {
  const bundle = written(() => {
    writeBind('begin', [])
    writeDescribe()
    writeExecute()
    writeFlush()
    writeSync()
  })
  expect(bundle).toEqual(
    Buffer.concat([
      message('B', '\0', 'begin\0', int16(0), int16(0), int16(1, 0)),
      message('D', 'P\0'),
      message('E', '\0', int32(0)),
      message('H'),
      message('S'),
    ]),
  )
})

it('what is larger than all before it is written whole', () => {
  const large = 'x'.repeat(3 * 1024 * 1024)
  const sent = written(() => writeBind('insert', [large, Buffer.from(large)]))
  expect(sent.length).toBe(1 + 4 + 1 + 7 + 2 + 4 + 2 + 2 * (4 + large.length) + 4)
  expect(sent.subarray(-4 - large.length, -4).equals(Buffer.from(large))).toBe(true)
})
