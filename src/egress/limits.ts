// Owns the limits of an exchange and their defaults (RELIABILITY S19), and checks those that are given.

import { PawlError } from '../core/errors.ts'
import { MAX_TIMEOUT_MS } from './deadline.ts'

export interface EgressLimits {
  /** Of a decoded answer. */
  readonly bytes: number
  readonly headerBytes: number
  readonly headers: number
  readonly redirects: number
  /** For all addresses of a host together. */
  readonly connectMs: number
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number
}

const DEFAULTS: EgressLimits = {
  bytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  headers: 256,
  redirects: 0,
  connectMs: 10_000,
  timeoutMs: 30_000,
}

const RANGES: Readonly<Record<keyof EgressLimits, readonly [number, number]>> = {
  bytes: [0, 1024 ** 3],
  headerBytes: [1024, 1024 ** 2],
  headers: [1, 10_000],
  redirects: [0, 20],
  connectMs: [1, MAX_TIMEOUT_MS],
  timeoutMs: [1, MAX_TIMEOUT_MS],
}

/** The defaults, with those that are given in their place. */
export const limitsWith = (
  given: { readonly [Name in keyof EgressLimits]?: number | undefined },
  over: EgressLimits = DEFAULTS,
): EgressLimits => {
  const limits: { -readonly [Name in keyof EgressLimits]: number } = { ...over }
  for (const name of Object.keys(RANGES) as (keyof EgressLimits)[]) {
    const value = given[name]
    if (value === undefined) continue
    const [least, most] = RANGES[name]
    if (!Number.isInteger(value) || value < least || value > most)
      throw new PawlError('invalid_option', `${name} of a request to the network is ${value}`, {
        path: name,
        expected: `a whole number from ${least} to ${most}`,
      })
    limits[name] = value
  }
  return limits
}
