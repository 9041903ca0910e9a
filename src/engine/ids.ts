// Owns what an id from outside may look like: text that can be shown, stored and put into a key without surprises (B17:
// an empty id once matched a month of rows).

import { PawlError } from '../core/errors.ts'

const MAX_ID = 200

export const assertId = (id: unknown, path: string): void => {
  const isFit =
    typeof id === 'string' &&
    id.length > 0 &&
    id.length <= MAX_ID &&
    !/[\p{Cc}\p{Cs}]/u.test(id) &&
    id.trim() === id
  if (isFit) return
  throw new PawlError('invalid_option', `${path}: ${JSON.stringify(id)?.slice(0, 80)} cannot be an id`, {
    path,
    expected: `1 to ${MAX_ID} visible characters, no space at either end`,
  })
}
