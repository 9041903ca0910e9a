// Owns the one error class of Pawl and the registry that says what each code means: may it be retried, which
// HTTP status and which exit code it becomes. docs/reference/errors.md lists the same codes; a test compares.
// What an *effect* came to (rate_limit, timeout …) is not here: see action-error.ts.

export interface Meaning {
  /** Trying the same thing again, unchanged, may work. */
  readonly retryable: boolean
  readonly http: number
  readonly exit: number
  /** One sentence for the reference page: when it is raised and what to do. */
  readonly help: string
}

const refused = (help: string): Meaning => ({ retryable: false, http: 422, exit: 2, help })

export type ErrorCode =
  | 'condition_failed'
  | 'condition_limit_exceeded'
  | 'decide_failed'
  | 'definition_incompatible'
  | 'duration_out_of_range'
  | 'event_invalid'
  | 'interval_too_short'
  | 'invalid_condition'
  | 'invalid_cron'
  | 'invalid_date'
  | 'invalid_definition'
  | 'invalid_duration'
  | 'invalid_policy'
  | 'invalid_rule'
  | 'invalid_template'
  | 'invalid_window'
  | 'invalid_zone'
  | 'never_fires'
  | 'payload_too_large'
  | 'secret_not_allowed_here'
  | 'template_limit_exceeded'
  | 'template_value_forbidden'
  | 'unknown_variable'
  | 'variables_invalid'

export const REGISTRY: Readonly<Record<ErrorCode, Meaning>> = {
  condition_failed: refused(
    'A condition could not be evaluated over its data (a type it cannot compare, a division by zero). Correct the rule or the data.',
  ),
  condition_limit_exceeded: refused(
    'A condition used more steps than allowed. Make the rule or the list it walks smaller.',
  ),
  decide_failed: {
    retryable: false,
    http: 500,
    exit: 1,
    help: 'The code of a definition threw while deciding. Mend the code, then resume the execution.',
  },
  definition_incompatible: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The running version of a definition no longer has the state an execution is in. Add the state back, or move the execution.',
  },
  duration_out_of_range: refused('A duration is negative, not finite or longer than 366 days.'),
  event_invalid: refused('The payload of an event does not fit the schema its definition declares.'),
  interval_too_short: refused('A recurrence would fire more often than allowed.'),
  invalid_condition: refused(
    'A condition is not JSONLogic, uses an unknown operator, or is too deep or too large.',
  ),
  invalid_cron: refused('A cron expression or interval cannot be read.'),
  invalid_date: refused(
    'A calendar date or wall-clock time does not exist or is not written as YYYY-MM-DD or HH:MM.',
  ),
  invalid_definition: refused(
    'A definition does not fit its schema, or refers to something it does not have.',
  ),
  invalid_duration: refused('A duration is not written as 90s, 5m, 42d, 2w or ISO 8601.'),
  invalid_policy: refused('A retry policy has a value that makes no sense.'),
  invalid_rule: refused('A time rule is not written as "42 days before weddingDate at 09:00".'),
  invalid_template: refused('A {{…}} placeholder cannot be read, or a filter does not exist.'),
  invalid_window: refused('A delivery window has no opening, or a field that cannot be read.'),
  invalid_zone: refused(
    'A time zone is not an IANA name such as Europe/London. Abbreviations and bare offsets are refused.',
  ),
  never_fires: refused('A schedule is well-formed but names a time that never comes.'),
  payload_too_large: {
    retryable: false,
    http: 413,
    exit: 2,
    help: 'A payload or the variables of an execution exceed 256 KiB, or nest too deep.',
  },
  secret_not_allowed_here: refused(
    'A secret is used in a place where it would be stored or shown. Use it only where the runner marks a secret.',
  ),
  template_limit_exceeded: refused('A template renders to more than allowed, or nests too deep.'),
  template_value_forbidden: refused('A value cannot be used by the filter it is given to.'),
  unknown_variable: refused('A template names a variable that does not exist.'),
  variables_invalid: refused('The variables of an execution do not fit the schema its definition declares.'),
}

/** Where and why, for people and programs alike. Never holds a resolved secret. */
export interface ErrorDetails {
  /** Dotted path inside the input: `steps.timelineRequest.at`. */
  readonly path?: string
  /** What would have been accepted. */
  readonly expected?: string
  /** The nearest thing that exists. */
  readonly suggestion?: string
  readonly [key: string]: unknown
}

export class PawlError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PawlError'
    this.code = code
    this.details = details
  }
}

/** The message a person reads: what is wrong, then what was expected, then the nearest thing that exists. */
export const explain = (error: PawlError): string =>
  [
    error.message,
    error.details.expected === undefined ? '' : `expected ${error.details.expected}`,
    error.details.suggestion === undefined ? '' : `did you mean ${error.details.suggestion}?`,
  ]
    .filter((part) => part !== '')
    .join('; ')
