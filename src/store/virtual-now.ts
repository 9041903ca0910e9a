// Owns the text of the virtual now: one row beside the store's name, an instant in milliseconds.

import { PawlError } from '../core/errors.ts'

export const VIRTUAL_NOW = 'virtual_now'

export const writeInstant = (at: number): string => {
  if (!Number.isSafeInteger(at))
    throw new PawlError('invalid_option', `${at} is no instant`, { expected: 'whole milliseconds' })
  return String(at)
}
