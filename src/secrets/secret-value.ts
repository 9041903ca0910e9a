// Owns what a value may be before it is stored: some text, not too long, the same after UTF-8 and back. A refusal says
// what is wrong with it, never what it is.

import { refusal } from './refusal.ts'

export const MAX_VALUE_BYTES: number = 64 * 1024

export const assertSecretValue = (value: string, name: string): void => {
  const why = flawOf(value)
  if (why !== undefined)
    throw refusal('secret_invalid', `the value of the secret ${name} ${why}`, {
      path: 'value',
      expected: `text of 1 to ${MAX_VALUE_BYTES} bytes in UTF-8`,
    })
}

const flawOf = (value: string): string | undefined => {
  if (typeof value !== 'string') return 'is not text'
  if (value === '') return 'is empty'
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return 'is too long'
  return value.isWellFormed() ? undefined : 'holds half a character'
}
