// Owns the codes that only the HTTP door raises, and a few of the doors beside it, and what each means. They are part of the one registry of errors.ts.

/** What a code means to whoever gets it. */
export interface Meaning {
  /** Trying the same thing again, unchanged, may work. */
  readonly retryable: boolean
  readonly http: number
  readonly exit: number
  /** One sentence for the reference page: when it is raised and what to do. */
  readonly help: string
}

export type EdgeCode =
  | 'cross_site'
  | 'forbidden'
  | 'headers_too_large'
  | 'idempotency_busy'
  | 'idempotency_reused'
  | 'input_invalid'
  | 'internal'
  | 'key_not_found'
  | 'local_only'
  | 'method_not_allowed'
  | 'misdirected'
  | 'not_built'
  | 'not_found'
  | 'not_ready'
  | 'precondition_failed'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'request_malformed'
  | 'request_timeout'
  | 'secret_unknown'
  | 'tenant_mismatch'
  | 'unauthenticated'
  | 'unknown_field'
  | 'unsupported_media_type'
  | 'uri_too_long'

const of = (http: number, exit: number, help: string): Meaning => ({ retryable: false, http, exit, help })
const later = (http: number, exit: number, help: string): Meaning => ({ retryable: true, http, exit, help })

export const EDGE_REGISTRY: Readonly<Record<EdgeCode, Meaning>> = {
  cross_site: of(
    403,
    4,
    'A page of another site sent the request through a browser. The API is not for pages of others.',
  ),
  forbidden: of(
    403,
    4,
    'The key does not have the scope that this needs. The message names it; use another key.',
  ),
  headers_too_large: of(431, 2, 'The headers of the request are larger than 16 KiB.'),
  idempotency_busy: of(
    409,
    6,
    'The same request, with the same Idempotency-Key, is still under way. Ask again when it has ended.',
  ),
  idempotency_reused: of(
    422,
    2,
    'The Idempotency-Key was used before for another request. Give every request a key of its own.',
  ),
  input_invalid: of(
    400,
    2,
    'A body, a parameter or a header is not of the shape that is described. The message says where.',
  ),
  internal: later(
    500,
    1,
    'Something that should not happen did. The log of the server has it, by the request id of the answer.',
  ),
  key_not_found: of(404, 3, 'This tenant has no key of that id.'),
  local_only: of(403, 4, 'This works in local mode alone: on loopback, before the first key was made.'),
  method_not_allowed: of(
    405,
    2,
    'The path exists, and not with this method. The header Allow has those it exists with.',
  ),
  misdirected: of(
    421,
    4,
    'The Host header names another server than this one. Call it by its own name, or add the name to its hosts.',
  ),
  not_built: of(
    501,
    1,
    'The path is part of the API, and this version cannot serve it yet. The message names what is missing.',
  ),
  not_found: of(404, 3, 'There is nothing at this path.'),
  not_ready: later(503, 75, 'The server is starting, ending, or cannot reach its store.'),
  precondition_failed: of(
    412,
    6,
    'The definition is not in the version that If-Match or If-None-Match asks for. Read it again, then decide.',
  ),
  quota_exceeded: of(
    409,
    6,
    'The tenant has as many of this as it may have. Remove one, or have the quota raised.',
  ),
  rate_limited: later(
    429,
    75,
    'The key has sent more requests, or holds more streams, than it may. Retry-After says when to come again.',
  ),
  request_malformed: of(400, 2, 'The bytes of the request are not HTTP as this server reads it.'),
  request_timeout: of(408, 75, 'The request did not arrive whole in time.'),
  secret_unknown: of(404, 3, 'This tenant has no stored secret of that name.'),
  tenant_mismatch: of(
    400,
    2,
    'The request names another namespace or tenant than the key is bound to. Leave them out, or use a key of theirs.',
  ),
  unauthenticated: of(401, 4, 'There is no valid key in the Authorization header.'),
  unknown_field: of(
    400,
    2,
    'The body has a field that does not exist here, or that cannot be set. The message names it.',
  ),
  unsupported_media_type: of(
    415,
    2,
    'The body is neither application/json nor, for definitions, application/yaml, or it is compressed.',
  ),
  uri_too_long: of(414, 2, 'The address is longer than 8 KiB.'),
}
