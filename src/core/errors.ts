// Owns the one error class of Pawl and the registry that says what each code means: may it be retried, which
// HTTP status and which exit code it becomes. docs/reference/errors.md lists the same codes; a test compares.
// What an *effect* came to (rate_limit, timeout …) is not here: see action-error.ts.

import { EDGE_REGISTRY, type EdgeCode, type Meaning } from './edge-errors.ts'

export type { Meaning } from './edge-errors.ts'

const refused = (help: string): Meaning => ({ retryable: false, http: 422, exit: 2, help })

export type ErrorCode =
  | EdgeCode
  | 'action_conflict'
  | 'action_not_found'
  | 'alert_conflict'
  | 'alert_not_found'
  | 'bulk_conflict'
  | 'bulk_not_found'
  | 'clock_stuck'
  | 'commit_refused'
  | 'condition_failed'
  | 'condition_limit_exceeded'
  | 'config_invalid'
  | 'decide_failed'
  | 'definition_incompatible'
  | 'definition_unknown'
  | 'destination_forbidden'
  | 'duration_out_of_range'
  | 'event_invalid'
  | 'execution_conflict'
  | 'execution_exists'
  | 'execution_not_found'
  | 'interval_too_short'
  | 'invalid_condition'
  | 'invalid_cron'
  | 'invalid_cursor'
  | 'invalid_date'
  | 'invalid_definition'
  | 'invalid_duration'
  | 'invalid_option'
  | 'invalid_policy'
  | 'invalid_rule'
  | 'invalid_template'
  | 'invalid_window'
  | 'invalid_zone'
  | 'json_rejected'
  | 'never_fires'
  | 'path_must_be_relative'
  | 'payload_too_large'
  | 'recurrence_conflict'
  | 'recurrence_not_found'
  | 'redirect_not_followed'
  | 'request_invalid'
  | 'response_too_large'
  | 'secret_destination_mismatch'
  | 'secret_invalid'
  | 'secret_key_unknown'
  | 'secret_not_allowed_here'
  | 'secret_not_found'
  | 'secret_unreadable'
  | 'secrets_key_invalid'
  | 'secrets_key_missing'
  | 'server_failed'
  | 'server_unreachable'
  | 'settings_invalid'
  | 'store_busy'
  | 'store_closed'
  | 'store_corrupt'
  | 'store_foreign'
  | 'store_full'
  | 'store_schema'
  | 'store_unavailable'
  | 'store_unsafe'
  | 'task_conflict'
  | 'task_not_found'
  | 'template_limit_exceeded'
  | 'template_value_forbidden'
  | 'unknown_variable'
  | 'variables_invalid'

export const REGISTRY: Readonly<Record<ErrorCode, Meaning>> = {
  ...EDGE_REGISTRY,
  action_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The action is not in a status that allows this: read it, and see what it can do now.',
  },
  action_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'There is no action with this id for this tenant.',
  },
  alert_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'Somebody has acknowledged the alert before.',
  },
  alert_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'There is no alert with this id for this tenant.',
  },
  bulk_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The bulk operation is not in a status that allows this: read it, and see what it can do now.',
  },
  bulk_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'There is no bulk operation with this id for this tenant.',
  },
  clock_stuck: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'A virtual clock could not go on because work that is due did not end in time. The message names it.',
  },
  commit_refused: refused(
    'The database refused one change on its own merits: an id that exists, a value outside its range, a row of another tenant. The other changes of the batch are not touched.',
  ),
  condition_failed: refused(
    'A condition could not be evaluated over its data (a type it cannot compare, a division by zero). Correct the rule or the data.',
  ),
  condition_limit_exceeded: refused(
    'A condition used more steps than allowed. Make the rule or the list it walks smaller.',
  ),
  config_invalid: refused(
    'The config given to a runner in code is not JSON: it could not be stored and read back the same.',
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
  definition_unknown: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'No definition has this id: give it to Pawl.open, or store it first.',
  },
  destination_forbidden: refused(
    'A request would go to an address that is not public, to a port or by a scheme that is not allowed, or carries credentials in its URL. Name another destination, or have the operator allow this one.',
  ),
  duration_out_of_range: refused('A duration is negative, not finite or longer than 366 days.'),
  event_invalid: refused('The payload of an event does not fit the schema its definition declares.'),
  execution_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The execution is not in a status that allows this: read it, and see what it can do now.',
  },
  execution_exists: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'An execution with this id was started with other input. Use another id, or the same input.',
  },
  execution_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'There is no execution with this id for this tenant.',
  },
  interval_too_short: refused('A recurrence would fire more often than allowed.'),
  invalid_condition: refused(
    'A condition is not JSONLogic, uses an unknown operator, or is too deep or too large.',
  ),
  invalid_cron: refused('A cron expression or interval cannot be read.'),
  invalid_cursor: {
    retryable: false,
    http: 400,
    exit: 2,
    help: 'A cursor was changed, cut, or made for another query. Start again from the first page.',
  },
  invalid_date: refused(
    'A calendar date or wall-clock time does not exist or is not written as YYYY-MM-DD or HH:MM.',
  ),
  invalid_definition: refused(
    'A definition does not fit its schema, or refers to something it does not have.',
  ),
  invalid_duration: refused('A duration is not written as 90s, 5m, 42d, 2w or ISO 8601.'),
  invalid_option: refused('An option of an action request has a value outside its range.'),
  invalid_policy: refused('A retry policy has a value that makes no sense.'),
  invalid_rule: refused('A time rule is not written as "42 days before weddingDate at 09:00".'),
  invalid_template: refused('A {{…}} placeholder cannot be read, or a filter does not exist.'),
  invalid_window: refused('A delivery window has no opening, or a field that cannot be read.'),
  invalid_zone: refused(
    'A time zone is not an IANA name such as Europe/London. Abbreviations and bare offsets are refused.',
  ),
  json_rejected: {
    retryable: false,
    http: 400,
    exit: 2,
    help: 'JSON or YAML text cannot be read, or holds what could not be stored and read back the same: equal keys, __proto__, half characters, numbers beyond 2^53, too many keys, too many levels.',
  },
  never_fires: refused('A schedule is well-formed but names a time that never comes.'),
  path_must_be_relative: refused(
    'An endpoint would leave the base URL it is joined to. Give a path below it, without scheme, host or steps up.',
  ),
  payload_too_large: {
    retryable: false,
    http: 413,
    exit: 2,
    help: 'A payload or the variables of an execution exceed 256 KiB, or nest too deep.',
  },
  recurrence_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The recurrence cannot do this now: read it, and see whether it is enabled and what comes next.',
  },
  recurrence_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'This tenant has no recurrence of that id, or it was removed.',
  },
  redirect_not_followed: refused(
    'An answer redirects to a place that may not be reached, or too often. Give the final address in the first place.',
  ),
  request_invalid: refused(
    'A request to the network sets a header that Pawl writes itself, uses a method that is not allowed, or contradicts itself.',
  ),
  response_too_large: refused(
    'An answer has more bytes or headers than Pawl reads. Ask for less, or raise the limit for this request.',
  ),
  secret_destination_mismatch: refused(
    'A secret that is bound to certain hosts would be sent to another one. Nothing was sent. Correct the address, or the hosts of the secret.',
  ),
  secret_invalid: refused(
    'The name, the value or the hosts of a secret are not possible: names are lower case, values are text of at most 64 KiB, hosts are host names.',
  ),
  secret_key_unknown: {
    retryable: true,
    http: 503,
    exit: 78,
    help: 'A stored secret was sealed with a key that this process does not have. The message names the key: add it to PAWL_SECRETS_KEYS.',
  },
  secret_not_allowed_here: refused(
    'A secret is used in a place where it would be stored or shown. Use it only where the runner marks a secret.',
  ),
  secret_not_found: {
    retryable: true,
    http: 503,
    exit: 3,
    help: 'An action needs a secret that is not set, in the environment, as a file or in the store. It is tried again by its policy, so that setting the secret is enough.',
  },
  secret_unreadable: {
    retryable: true,
    http: 500,
    exit: 78,
    help: 'A secret exists but cannot be read: its file is too large, not text or outside of its directory, or its stored row was changed. The message says which.',
  },
  secrets_key_invalid: {
    retryable: false,
    http: 500,
    exit: 2,
    help: 'PAWL_SECRETS_KEY or PAWL_SECRETS_KEYS cannot be read, or is too weak. A key is 32 random bytes, in base64 or hex.',
  },
  secrets_key_missing: {
    retryable: false,
    http: 503,
    exit: 2,
    help: 'A secret cannot be stored because there is no key to seal it with. Set PAWL_SECRETS_KEY to 32 random bytes, in base64 or hex.',
  },
  server_failed: {
    retryable: true,
    http: 502,
    exit: 1,
    help: 'A server answered a client with something the client does not know: its own failure, a newer version, or not Pawl at all. The message has its status and words.',
  },
  server_unreachable: {
    retryable: true,
    http: 502,
    exit: 7,
    help: 'No server answered at this address. Start one with pawl serve, or name another with --server or PAWL_URL.',
  },
  settings_invalid: refused(
    'A flag, a variable or a file of settings has a name or a value that Pawl does not know. The message says which and, where something is near, what was meant.',
  ),
  store_busy: {
    retryable: true,
    http: 503,
    exit: 75,
    help: 'Another process kept the database locked for longer than Pawl waits. Nothing was written; try again, and look for a process that stopped in the middle of a write.',
  },
  store_closed: {
    retryable: false,
    http: 503,
    exit: 1,
    help: 'The store was closed before this call.',
  },
  store_corrupt: {
    retryable: false,
    http: 500,
    exit: 78,
    help: 'The database is damaged: a check failed, or a row does not fit its checksum. Pawl does not go on with it; restore the last backup.',
  },
  store_foreign: {
    retryable: false,
    http: 500,
    exit: 78,
    help: 'The file or database exists and was not made by Pawl. Name another one.',
  },
  store_full: {
    retryable: true,
    http: 507,
    exit: 75,
    help: 'The disk or the quota of the store is full. Accepted work goes on from a reserve, new work is refused until there is room.',
  },
  store_schema: {
    retryable: false,
    http: 500,
    exit: 78,
    help: 'The tables are older or newer than this version of Pawl. Migrate the store, or update Pawl.',
  },
  store_unavailable: {
    retryable: true,
    http: 503,
    exit: 75,
    help: 'The database could not be read or written. It is not known whether the last change was made; asking again is safe, because what was done is recognised.',
  },
  store_unsafe: {
    retryable: false,
    http: 500,
    exit: 78,
    help: 'The database server may lose what it has acknowledged: fsync or full_page_writes is off. Switch them on; only a test may accept it.',
  },
  task_conflict: {
    retryable: false,
    http: 409,
    exit: 6,
    help: 'The task is done already, with another result: read it, and see by whom.',
  },
  task_not_found: {
    retryable: false,
    http: 404,
    exit: 3,
    help: 'This tenant has no task of that id.',
  },
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
