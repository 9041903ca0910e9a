// Owns the errors of this room. Each says two things: to an API or a command it is a PawlError; to an attempt, through
// its cause, it is a failure before anything was sent, retried or not as the registry says.
// R1  No message, detail or cause holds a value or a key (S34).

import { permanent, retryable } from '../core/action-error.ts'
import { type ErrorCode, type ErrorDetails, explain, PawlError, REGISTRY } from '../core/errors.ts'

export const refusal = (code: ErrorCode, message: string, details: ErrorDetails = {}): PawlError => {
  const failure = REGISTRY[code].retryable ? retryable : permanent
  const said = explain(new PawlError(code, message, details))
  return new PawlError(code, message, details, failure(code, said, { code }))
}
