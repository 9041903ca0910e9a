// Owns reading the body of a request: how much, of which type, and as which value (S30, S31, S32). JSON is read strictly:
// what could not be stored and read back the same is refused with its place.

import { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { Problem } from '../definitions/problem.ts'
import { readSource } from '../definitions/source.ts'

export interface BodyRules {
  readonly maxBytes: number
  /** Definitions may be YAML. */
  readonly takesYaml: boolean
  /** Its words are in no message: it holds a secret. */
  readonly isPrivate: boolean
}

export interface ReadBody {
  /** Undefined: there was none. */
  readonly value: Json | undefined
  readonly text: string
  /** Where a problem of the value stands in the text. */
  readonly place: (problem: Problem) => Problem
}

interface Incoming {
  readonly body: ReadableStream<Uint8Array> | null
  readonly header: (name: string) => string | undefined
}

const NONE: ReadBody = { value: undefined, text: '', place: (problem) => problem }

const tooLarge = (maxBytes: number): PawlError =>
  new PawlError('payload_too_large', 'the body is too large', {
    path: 'body',
    expected: `at most ${maxBytes} bytes`,
    // What is left of it is not read.
    headers: { connection: 'close' },
  })

const unsupported = (what: string, takesYaml: boolean): PawlError =>
  new PawlError('unsupported_media_type', what, {
    path: 'content-type',
    expected: takesYaml ? 'application/json or application/yaml' : 'application/json',
    headers: { connection: 'close' },
  })

/** Of a body that is there. */
const formatOf = (type: string | undefined, takesYaml: boolean): 'json' | 'yaml' => {
  const [name = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase())
  const isUtf8 = parameters.every((each) => !each.startsWith('charset=') || /^charset="?utf-?8"?$/.test(each))
  if (isUtf8 && name === 'application/json') return 'json'
  if (isUtf8 && takesYaml && name === 'application/yaml') return 'yaml'
  throw unsupported(`the type “${(type ?? '').slice(0, 80)}” is not read here`, takesYaml)
}

const readBytes = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new PawlError('json_rejected', 'the body is not UTF-8', { path: 'body', expected: 'UTF-8 text' })
  }
}

const rejected = (problems: readonly Problem[], isPrivate: boolean): PawlError => {
  const [{ code, message, path, expected }] = problems as readonly [Problem]
  if (isPrivate) return new PawlError('json_rejected', 'the body is not JSON', { path: 'body' })
  return new PawlError(code, `the body cannot be read: ${message}`, {
    path: path || 'body',
    ...(expected !== undefined && { expected }),
    problems,
  })
}

const HAS_BODY = /^(?!0+$)\d+$/

export const readBody = async ({ body, header }: Incoming, rules: BodyRules): Promise<ReadBody> => {
  const { maxBytes, takesYaml, isPrivate } = rules
  const length = header('content-length')
  if (header('content-encoding') !== undefined) throw unsupported('a compressed body is not read', takesYaml)
  const isThere = header('transfer-encoding') !== undefined || HAS_BODY.test(length ?? '0')
  if (body === null || !isThere) return NONE
  const format = formatOf(header('content-type'), takesYaml)
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes)
  const text = decode(await readBytes(body, maxBytes))
  if (text === '') return NONE
  const { documents, problems } = readSource(text, 'body', format)
  if (problems.length > 0) throw rejected(problems, isPrivate)
  if (documents.length > 1)
    throw new PawlError('json_rejected', 'the body holds several documents', {
      path: 'body',
      expected: 'one',
    })
  const [{ value, place }] = documents as readonly [(typeof documents)[number]]
  return { value, text, place }
}
