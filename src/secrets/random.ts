// Owns chance in this room: the nonces of sealed secrets. Everything else here is derived.

import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 12

export const drawNonce = (): Buffer => randomBytes(NONCE_BYTES)
