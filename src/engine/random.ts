// Owns chance: the only place of the engine that draws. Everything that must be the same when it is repeated is derived
// from its cause instead (core/keys.ts); what is drawn here only has to be different.

import { randomFillSync } from 'node:crypto'
import { ulid, ulidSeries } from '../core/ulid.ts'

export interface Chance {
  /** 128 bits as text: the nonce of a claim, the name of a worker. */
  readonly nonce: () => string
  /** `act_01J…`: sorts by time. */
  readonly id: (prefix: string, now: number) => string
  /** Ids of one instant that sort in the order they are asked for, up to half a million. */
  readonly series: (prefix: string, now: number) => () => string
  /** From 0 up to 1. */
  readonly fraction: () => number
}

const hexOf = (bytes: Uint8Array): string =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString('hex')

/** `bytes` may be written over by the next draw. */
export const createChance = (bytes: (count: number) => Uint8Array): Chance => ({
  nonce: () => hexOf(bytes(16)),
  id: (prefix, now) => `${prefix}_${ulid(now, bytes(16))}`,
  series: (prefix, now) => {
    const next = ulidSeries(now, bytes(16))
    return () => `${prefix}_${next()}`
  },
  fraction: () => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32,
})

/** Nobody draws more at once. */
const MOST = 16

/** Each call of the system's generator costs as much for 16 bytes as for thousands: it was a tenth of an enqueue. */
const POOL = 4096

const createPool = (): ((count: number) => Uint8Array) => {
  const pool = new Uint8Array(POOL)
  const drawn = Buffer.alloc(MOST)
  let used = POOL
  return (count) => {
    if (used + count > POOL) {
      randomFillSync(pool)
      used = 0
    }
    for (let index = 0; index < count; index += 1) {
      drawn[index] = pool[used + index]!
      // What was given out is not given out again.
      pool[used + index] = 0
    }
    used += count
    return drawn
  }
}

export const realChance: Chance = createChance(createPool())
