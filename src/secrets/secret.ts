// Owns the words of this room: a secret as it is used, whose it is, and the one question a runner's process asks. A
// Secret lives in memory only: it is neither stored, logged nor sent back by any route.

/** Whose secrets are meant. */
export interface Tenancy {
  readonly namespace: string
  readonly tenant: string
}

export interface Secret {
  readonly name: string
  readonly value: string
  /** It may be sent to these only. Absent: to wherever its user says. */
  readonly hosts?: readonly string[]
  readonly from: 'environment' | 'file' | 'store'
  /** Changes when the value was set again, as far as its origin tells. */
  readonly version: string
}

/** F-023. Undefined: there is no such secret. What exists and cannot be read is an error, never undefined. */
export interface SecretResolver {
  readonly resolve: (of: Tenancy, name: string) => Promise<Secret | undefined>
  /** For "did you mean": names that exist, as far as the origin can tell. */
  readonly names?: (of: Tenancy) => Promise<readonly string[]>
}
