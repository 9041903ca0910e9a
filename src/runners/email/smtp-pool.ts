// Owns how many connections to one mail server, under one login, are open at a time, and which are kept for the next mail.
// Callers beyond the bound wait their turn, first come first served, until their signal says stop.
// P1  A connection is used by one caller at a time, and kept only after a mail that went well.

import { createTurns, type Turns } from './turns.ts'

export interface Connection {
  readonly rest: (ms: number, onGone: () => void) => void
  readonly end: () => void
}

export interface Lease<C> {
  readonly key: string
  readonly signal: AbortSignal
  readonly open: () => Promise<C>
  /** Asked of a kept connection before it is used again. */
  readonly isAlive: (connection: C) => Promise<boolean>
}

export interface Pool<C> {
  readonly use: <T>(lease: Lease<C>, work: (connection: C) => Promise<T>) => Promise<T>
}

export interface PoolLimits {
  /** To one server under one login. */
  readonly open: number
  /** Kept for the next mail, to all servers. */
  readonly idle: number
  readonly idleMs: number
}

interface Line<C> {
  readonly turns: Turns
  readonly idle: C[]
}

/** The kept connections of all lines, counted together. */
const createKept = <C extends Connection>({ idle: limit, idleMs }: PoolLimits) => {
  let count = 0
  const takeOut = ({ idle }: Line<C>, connection: C): void => {
    const at = idle.indexOf(connection)
    if (at === -1) return
    idle.splice(at, 1)
    count--
  }
  return {
    put: (line: Line<C>, connection: C, onGone: () => void): void => {
      if (count >= limit) {
        connection.end()
        return
      }
      line.idle.push(connection)
      count++
      connection.rest(idleMs, () => {
        takeOut(line, connection)
        onGone()
      })
    },
    /** The one used last: the others may be let go in peace. */
    take: (line: Line<C>): C | undefined => {
      const connection = line.idle.at(-1)
      if (connection !== undefined) takeOut(line, connection)
      return connection
    },
  }
}

export const createPool = <C extends Connection>(limits: PoolLimits): Pool<C> => {
  const lines = new Map<string, Line<C>>()
  const kept = createKept<C>(limits)

  const connectionFor = async (line: Line<C>, { open, isAlive }: Lease<C>): Promise<C> => {
    for (let found = kept.take(line); found !== undefined; found = kept.take(line)) {
      if (await isAlive(found)) return found
      found.end()
    }
    return open()
  }

  const use: Pool<C>['use'] = async (lease, work) => {
    const { key, signal } = lease
    const line: Line<C> = lines.get(key) ?? { turns: createTurns(limits.open), idle: [] }
    lines.set(key, line)
    const forget = (): void => {
      if (line.turns.isIdle() && line.idle.length === 0) lines.delete(key)
    }
    const done = await line.turns.take(signal)
    try {
      const connection = await connectionFor(line, lease)
      const result = await work(connection)
      kept.put(line, connection, forget)
      return result
    } finally {
      done()
      forget()
    }
  }
  return { use }
}
