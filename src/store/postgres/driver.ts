// Owns the way pg comes into the process (an optional peer, loaded when a PostgreSQL store is opened) and how its
// values are read: bigint as a number, since every one here is a time, a count or a sequence below 2^53.

import { PawlError } from '../../core/errors.ts'

type Pg = typeof import('pg')

let loaded: Promise<Pg> | undefined

const load = async (): Promise<Pg> => {
  try {
    return (await import('pg')).default as unknown as Pg
  } catch (error) {
    throw new PawlError(
      'store_unavailable',
      'a PostgreSQL store needs the package "pg"',
      { expected: 'npm install pg' },
      error,
    )
  }
}

export const loadPg = (): Promise<Pg> => {
  loaded ??= load()
  return loaded
}

type Parse = (text: string) => unknown

const bool: Parse = (text) => text === 't'
const PARSERS: ReadonlyMap<number, Parse> = new Map([
  [16, bool],
  [20, Number],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
])

const asText: Parse = (text) => text

/** Given with every query, so that a caller's own client reads the same whatever parsers it was set up with. */
export const TYPES = {
  getTypeParser: (oid: number): Parse => PARSERS.get(oid) ?? asText,
}
