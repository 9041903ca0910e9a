// Runs what must be refused and hands back the error, so that a test can look at its words.

import { type ErrorCode, PawlError } from '../../src/core/errors.ts'

export const refusedWith = (code: ErrorCode, run: () => unknown): PawlError => {
  let taken: unknown
  try {
    taken = run()
  } catch (error) {
    if (error instanceof PawlError && error.code === code) return error
    throw error
  }
  throw new Error(`expected ${code}, but it was taken: ${JSON.stringify(taken)}`)
}
