// Owns how this runner says no before anything is sent: for good, with no effect, and with the place in the config. A text
// is quoted only as far as 80 characters, and never one that may hold a secret.

import { type ActionFailure, permanent } from '../../core/action-error.ts'

/** F-072's words and ours. */
type RefusalCode =
  | 'INVALID_EMAIL'
  | 'invalid_template'
  | 'provider_not_configured'
  | 'template_limit_exceeded'
  | 'template_not_found'
  | 'template_value_forbidden'
  | 'unknown_variable'

export const refusal = (code: RefusalCode, path: string, message: string): ActionFailure =>
  permanent(code === 'template_value_forbidden' ? code : 'invalid_configuration', `${message} (at ${path})`, {
    code,
    details: { path },
  })

export const quoted = (text: string): string => `“${text.slice(0, 80)}”`
