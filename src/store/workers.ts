// The port for liveness: which processes are at work, what they can run and which definitions they know, so that `why`
// can say that nobody does. It decides nothing: a lease alone says who holds an action.

export interface WorkerRow {
  /** Random per process start: never a host's name or a process number. */
  readonly id: string
  readonly startedAt: number
  /** When it last said so, by the database's clock. */
  readonly seenAt: number
  readonly slots: number
  readonly types: readonly string[]
  /** `id@hash`. */
  readonly definitions: readonly string[]
  readonly version: string
  readonly host: string
}

export interface Workers {
  /** This process is there. Rows of others that were not renewed for a day go with it, a bounded number at a time. */
  readonly beat: (row: Omit<WorkerRow, 'seenAt'>) => Promise<void>
  /** Those seen within this time, by id. */
  readonly list: (withinMs: number) => Promise<readonly WorkerRow[]>
  /** A process that ends says so. */
  readonly remove: (id: string) => Promise<void>
}

/** After so long nobody asks for a process any more. */
export const FORGOTTEN_MS = 86_400_000
