// The port for tasks: rows that people do. The runner makes one per action, a person ends it, and the execution that asked
// for it is told. A task that is done says so at once; that its execution was told is written down afterwards.
// T1  Made once: an id that is there stays as it is, so that a repeated attempt finds its own.
// T2  Done once: of two who complete a task one does, and both see by whom and with what.

import type { Json, JsonObject } from '../core/json.ts'
import type { Page, PageRequest } from './reader.ts'
import type { Tenancy } from './store.ts'

export interface NewTask {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly assignee?: string
  readonly dueAt?: number
  /** What whoever does it may need, as the definition gave it along. */
  readonly data?: JsonObject
  /** The action that made it, and the name of that action in its definition. */
  readonly actionId: string
  readonly actionName: string
  readonly execution?: string
  readonly createdAt: number
}

export interface Completion {
  readonly at: number
  readonly by?: string
  readonly result?: Json
}

export interface TaskRow extends NewTask, Tenancy {
  /** Absent: it is open. */
  readonly completed?: Completion
}

export interface TaskQuery {
  readonly status?: 'open' | 'done'
  /** Only those that were due before. */
  readonly dueBefore?: number
  readonly assignee?: string
  readonly execution?: string
}

export interface Tasks {
  /** The task as it is kept: this one, or the one that was there. */
  readonly add: (of: Tenancy, task: NewTask) => Promise<TaskRow>
  readonly get: (of: Tenancy, id: string) => Promise<TaskRow | undefined>
  /** Newest first. One filter is served by an index, others narrow a bounded window and the page says so. */
  readonly list: (of: Tenancy, query: TaskQuery, page: PageRequest) => Promise<Page<TaskRow>>
  /** False: it was done already, or there is none. */
  readonly complete: (of: Tenancy, id: string, completion: Completion) => Promise<boolean>
  /** Its execution knows. */
  readonly told: (of: Tenancy, id: string) => Promise<void>
  /** Of all tenants: done before then, and their executions do not know yet. */
  readonly untold: (before: number, limit: number) => Promise<readonly TaskRow[]>
}
