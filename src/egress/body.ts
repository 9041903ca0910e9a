// Owns the reading of an answer's body: decoded while it arrives, and ended at the limit, counted both as sent and as
// decoded. A bomb (endless, or a little gzip that becomes a lot) costs at most the limit and one step of the decoder.

import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { PawlError } from '../core/errors.ts'
import { broken } from './faults.ts'

type Decoder = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>
type MakeDecoder = (first: Buffer) => Decoder

const DECODERS: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // Some servers send deflate without zlib's header, whose first byte ends in 8.
  ['deflate', (first) => ((first[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw())],
])

/** Undefined for a body that is not encoded. One encoding only: nobody sends two, and each multiplies a bomb. */
const decoderOf = (message: IncomingMessage): MakeDecoder | undefined => {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return undefined
  const make = DECODERS.get(encoding)
  if (make !== undefined) return make
  throw broken('ERR_CONTENT_ENCODING', `the answer's encoding "${encoding.slice(0, 80)}" was not asked for`)
}

/** Encoding may add a little to what does not compress. */
const ENCODING_SLACK = 64 * 1024

const tooLarge = (maxBytes: number, status: number | undefined): PawlError =>
  new PawlError('response_too_large', `the answer has more than ${maxBytes} bytes`, { status })

/** Rejects when the body breaks off, cannot be decoded or passes the limit. Ending the request is the caller's. */
export const readBody = (message: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const make = decoderOf(message)
    const chunks: Buffer[] = []
    let [sent, decoded] = [0, 0]
    let decoder: Decoder | undefined
    const fail = (error: unknown): void => {
      decoder?.destroy()
      reject(error)
    }
    const keep = (chunk: Buffer): void => {
      decoded += chunk.length
      if (decoded > maxBytes) fail(tooLarge(maxBytes, message.statusCode))
      else chunks.push(chunk)
    }
    const done = (): void => resolve(Buffer.concat(chunks))
    const decode = (chunk: Buffer): void => {
      sent += chunk.length
      if (sent > maxBytes + ENCODING_SLACK) {
        fail(tooLarge(maxBytes, message.statusCode))
        return
      }
      // Made by the first byte: an answer to HEAD is called gzip too, and has none.
      decoder ??= make!(chunk).on('data', keep).on('end', done).on('error', fail)
      if (decoder.write(chunk)) return
      message.pause()
      decoder.once('drain', () => message.resume())
    }
    message.on('data', make === undefined ? keep : decode)
    message.on('end', () => (decoder === undefined ? done() : decoder.end()))
    message.on('error', fail)
  })
