// Finds a canary wherever it leaked (S45): in texts, in files byte by byte, in rows of a table, in every usual encoding.
// It shares no search with the redactor it judges: each place is read plainly, one encoding after the other.

import { closeSync, openSync, readSync } from 'node:fs'
import { needlesOf } from '../../src/secrets/needles.ts'
import { seenThrough, VIEWS } from '../../src/secrets/views.ts'

export interface Sinks {
  /** By a name that a person can find again: a log, an API body, a page. */
  readonly texts?: Readonly<Record<string, string>>
  /** Paths: databases, write-ahead logs, dumps. */
  readonly files?: readonly string[]
  readonly rows?: Iterable<{ readonly table: string; readonly row: Readonly<Record<string, unknown>> }>
}

export interface Hit {
  /** `text log`, `file pawl.db-wal at 8192`, `row actions.config`. */
  readonly where: string
  /** `plain`, `hex`, `base64 at 1`, `utf-16`; `… in json` when escaped there. */
  readonly encoding: string
  /** Which one, where there are several. */
  readonly canary?: string
}

const CHUNK = 4 * 1024 * 1024
const SHORTEST = 12

const assertTelling = (canary: string): void => {
  if (needlesOf(canary).length === 0 || canary.length < SHORTEST)
    throw new RangeError(`a canary of ${canary.length} characters proves nothing`)
}

/** One canary, or several by name. Each must be long and unlike anything else, or a hit would mean nothing. */
export const sweep = (
  sought: string | Readonly<Record<string, string>>,
  { texts = {}, files = [], rows = [] }: Sinks,
): readonly Hit[] => {
  const canaries = typeof sought === 'string' ? { '': sought } : sought
  for (const canary of Object.values(canaries)) assertTelling(canary)
  const named = Object.entries(canaries).map(([name, canary]) => ({
    name,
    text: namedNeedles(canary),
    bytes: [...namedNeedles(canary), ...bytesOf(canary)],
  }))
  const inText = searchOf(named.map(({ name, text }) => [name, text]))
  const inBytes = searchOf(named.map(({ name, bytes }) => [name, bytes]))
  const longest = Math.max(...Object.values(canaries).map(({ length }) => length))
  const inCell = (cell: unknown): readonly Seen[] =>
    cell instanceof Uint8Array ? inBytes(latin1(cell)) : inText([...leaves(cell)].join('\0'))
  return [
    ...Object.entries(texts).flatMap(([name, text]) => hits(`text ${name}`, inText(text))),
    ...files.flatMap((path) => inFile(path, longest, inBytes)),
    ...[...rows].flatMap(({ table, row }) =>
      Object.entries(row).flatMap(([column, cell]) => hits(`row ${table}.${column}`, inCell(cell))),
    ),
  ]
}

/** In which encoding, and of which canary. */
type Seen = readonly [encoding: string, canary: string]

const hits = (where: string, seen: readonly Seen[]): readonly Hit[] =>
  seen.map(([encoding, canary]) => ({ where, encoding, ...(canary !== '' && { canary }) }))

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Keys and values of a cell that a driver has parsed. */
function* leaves(cell: unknown): Generator<string> {
  if (typeof cell !== 'object' || cell === null) yield String(cell)
  else for (const [key, member] of Object.entries(cell)) yield* [key, ...leaves(member)]
}

type Named = readonly [encoding: string, needle: string]

/** The encodings in which a text holds each canary, each once, as it is seen first. */
const searchOf = (canaries: readonly (readonly [canary: string, named: readonly Named[]])[]) => {
  return (text: string): readonly Seen[] => {
    const found = new Map<string, Seen>()
    for (const view of VIEWS) {
      const seen = seenThrough(view, text)
      for (const [canary, named] of canaries)
        for (const [name, needle] of named) {
          const key = `${name}, ${canary}`
          if (!found.has(key) && seen.includes(needle))
            found.set(key, [view.name === 'plain' ? name : `${name} in ${view.name}`, canary])
        }
    }
    return [...found.values()]
  }
}

const unspaced = (text: string): string => text.replaceAll(/\s/g, '')

const namedNeedles = (canary: string): readonly Named[] => {
  const bytes = Buffer.from(canary)
  const core = (offset: number): string =>
    Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(3)])
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [
    ['plain', unspaced(canary)],
    ['hex', bytes.toString('hex')],
    ['hex', bytes.toString('hex').toUpperCase()],
    ...[0, 1, 2].flatMap((offset): readonly Named[] => [
      [`base64 at ${offset}`, core(offset)],
      [`base64 at ${offset}`, core(offset).replaceAll('+', '-').replaceAll('/', '_')],
    ]),
  ]
}

/** As bytes read one by one: characters beyond ASCII, and the two-byte texts that memory holds. */
const bytesOf = (canary: string): readonly Named[] => [
  ['plain', unspaced(latin1(Buffer.from(canary)))],
  ['utf-16', unspaced(latin1(Buffer.from(canary, 'utf16le')))],
]

/** A piece at a time, each with the end of the one before: a canary on the border of two is whole in one. */
const inFile = (path: string, longest: number, search: (text: string) => readonly Seen[]): readonly Hit[] => {
  const overlap = longest * 16 + 256
  const file = openSync(path, 'r')
  try {
    const found: Hit[] = []
    const buffer = Buffer.alloc(CHUNK)
    for (let at = 0; ; at += CHUNK - overlap) {
      const read = readSync(file, buffer, 0, CHUNK, at)
      found.push(...hits(`file ${path} at ${at}`, search(latin1(buffer.subarray(0, read)))))
      if (read < CHUNK) return found
    }
  } finally {
    closeSync(file)
  }
}
