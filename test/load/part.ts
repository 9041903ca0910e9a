// Owns what a process of the load tests is told to be, in JSON on its command line.

export interface Part {
  readonly store: string
  /** One line per commit and per start, appended by all processes: the order of lines is the order of events. */
  readonly log: string
  readonly leaseMs?: number
  readonly slots?: number
  /** Keeps committing actions of the tenant `flood`, and in between one for each of these. */
  readonly tenants: readonly string[]
}
