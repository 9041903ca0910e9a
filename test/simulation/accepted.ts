// Owns what the world's clients were promised: everything a call returned for. What never returned may be true or not.

export interface Accepted {
  readonly executions: Set<string>
  readonly actions: Set<string>
  /** `tenant execution event`. */
  readonly events: Set<string>
  /** Those that the answer called applied. */
  readonly applied: Set<string>
  /** Dead letters that a person sent back, or asked to. */
  readonly retried: Set<string>
  /** Actions a person decided about, or asked to. */
  readonly resolved: Set<string>
  /** Actions whose rows a bad disk has spoilt. */
  readonly damaged: Set<string>
}

export const createAccepted = (): Accepted => ({
  executions: new Set(),
  actions: new Set(),
  events: new Set(),
  applied: new Set(),
  retried: new Set(),
  resolved: new Set(),
  damaged: new Set(),
})
