// Owns how much verify reads, keeps and tells at a time.

export interface Limits {
  /** Rows of one slice. */
  readonly slice: number
  /** Lines, actions and events of one execution that are looked at together; of more, the newest. */
  readonly lines: number
  /** Findings that are kept and told; the rest is counted. */
  readonly findings: number
  /** Stop after this many rows and say where to go on. */
  readonly rows: number
  /** The lease that workers are given. */
  readonly leaseMs: number
  /** How long the id of an applied event is remembered: retention of the inbox. */
  readonly remembersMs: number
  /** A tenant with more rows is not counted at one moment. */
  readonly exactRows: number
  /** How many of the newest checkpoints are computed again. */
  readonly checkpoints: number
}

export const DEFAULT_LIMITS: Limits = {
  slice: 500,
  lines: 5000,
  findings: 1000,
  rows: Number.POSITIVE_INFINITY,
  leaseMs: 30_000,
  remembersMs: 30 * 86_400_000,
  exactRows: 5_000_000,
  checkpoints: 3,
}
