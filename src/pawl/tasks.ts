// Owns `pawl.tasks`: what is to be done by people, and that it was done. Completing is one row that changes once; then the
// execution that asked for the task hears `task_completed`, by an id of the task's own, so that it is applied once. Who
// dies in between is followed by the sweep of whoever works.

import { PawlError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { assertStorable, canonical, type Json, type JsonObject } from '../core/json.ts'
import { plain } from '../core/plain.ts'
import type { Advancing } from '../engine/advance.ts'
import type { Clock } from '../engine/clock.ts'
import { assertId } from '../engine/ids.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import type { TaskQuery, TaskRow, Tasks } from '../store/tasks.ts'

export interface TaskView {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly assignee?: string
  /** `overdue`: it is open, and its time is past. */
  readonly status: 'open' | 'overdue' | 'done'
  readonly dueAt?: string
  readonly data?: JsonObject
  readonly actionId: string
  readonly executionId?: string
  readonly createdAt: string
  readonly completedAt?: string
  readonly completedBy?: string
  readonly result?: Json
  readonly namespace: string
  readonly tenant: string
}

export interface TaskFilter {
  /** `open` lists overdue ones, too. */
  readonly status?: TaskView['status']
  readonly assignee?: string
  readonly execution?: string
}

export interface TaskCompletion {
  readonly result?: Json
  readonly by?: string
}

export interface TaskDesk {
  /** Newest first. */
  readonly list: (filter?: TaskFilter, page?: Partial<PageRequest>) => Promise<Page<TaskView>>
  readonly get: (id: string) => Promise<TaskView | undefined>
  /** `repeated`: it was done before, with the same result. */
  readonly complete: (
    id: string,
    completion?: TaskCompletion,
  ) => Promise<{ readonly task: TaskView; readonly repeated: boolean }>
}

export interface TaskDeskParts {
  readonly tasks: Tasks
  readonly tell: Advancing['tell']
  readonly clock: Pick<Clock, 'now'>
}

const DEFAULT_LIMIT = 50
const instant = (at: number): string => new Date(at).toISOString()

const statusOf = ({ completed, dueAt }: TaskRow, now: number): TaskView['status'] => {
  if (completed !== undefined) return 'done'
  return dueAt !== undefined && dueAt < now ? 'overdue' : 'open'
}

const taskView = (row: TaskRow, now: number): TaskView => {
  const { id, title, description, assignee, dueAt, data, actionId, execution, completed } = row
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    ...(assignee !== undefined && { assignee }),
    status: statusOf(row, now),
    ...(dueAt !== undefined && { dueAt: instant(dueAt) }),
    ...(data !== undefined && { data }),
    actionId,
    ...(execution !== undefined && { executionId: execution }),
    createdAt: instant(row.createdAt),
    ...(completed && { completedAt: instant(completed.at) }),
    ...(completed?.by !== undefined && { completedBy: completed.by }),
    ...(completed?.result !== undefined && { result: completed.result }),
    namespace: row.namespace,
    tenant: row.tenant,
  }
}

const queryOf = ({ status, ...rest }: TaskFilter, now: number): TaskQuery => {
  if (status === undefined) return rest
  if (status === 'done') return { ...rest, status }
  return { ...rest, status: 'open', ...(status === 'overdue' && { dueBefore: now }) }
}

/** The same whoever tells it: made of what the row says. */
const completedEvent = (task: TaskRow): Event => {
  const { id, title, assignee = null, actionId, actionName, completed } = task
  const { at, by = null, result = null } = completed!
  return {
    id: `${id}/completed`,
    type: 'task_completed',
    payload: { taskId: id, title, assignee, completedBy: by, actionId: actionName, result },
    at,
    action: { id: actionId, name: actionName, ended: 'completed' },
  }
}

/** An execution that is gone, or has ended, needs no telling. */
const tellOf = async ({ tasks, tell }: TaskDeskParts, task: TaskRow): Promise<void> => {
  const { namespace, tenant, id, execution } = task
  if (execution !== undefined) await tell({ namespace, tenant, id: execution }, completedEvent(task))
  await tasks.told({ namespace, tenant }, id)
}

/** Whoever completes a task tells of it at once: what is this old was left by a process that died. */
const LEFT_MS = 10_000
const SLICE = 100

/** Tells of what was left. One that cannot be told holds up no others. */
export const tellLeftTasks = async (parts: TaskDeskParts): Promise<number> => {
  const left = await parts.tasks.untold(parts.clock.now() - LEFT_MS, SLICE)
  const told = await Promise.allSettled(left.map((task) => tellOf(parts, task)))
  return told.filter(({ status }) => status === 'fulfilled').length
}

const storedResult = (result: unknown): Json => {
  const checked = plain(result)
  if (!checked.fits)
    throw new PawlError('request_invalid', 'the result of a task must be JSON', { path: 'result' })
  assertStorable(checked.value, 'the result of a task')
  return checked.value
}

export const createTaskDesk = (parts: TaskDeskParts, of: Tenancy): TaskDesk => {
  const { tasks, clock } = parts
  const find = async (id: string): Promise<TaskRow> => {
    const task = await tasks.get(of, id)
    if (task !== undefined) return task
    throw new PawlError('task_not_found', `there is no task “${id.slice(0, 80)}”`, { path: 'task' })
  }
  const assertSame = ({ completed }: TaskRow, id: string, { result = null }: TaskCompletion): void => {
    if (canonical(completed?.result ?? null) === canonical(result)) return
    throw new PawlError('task_conflict', `the task “${id}” is done already, with another result`, {
      expected: 'the result it was completed with, or another task',
    })
  }
  return {
    list: async (filter = {}, { limit = DEFAULT_LIMIT, after } = {}) => {
      const now = clock.now()
      const page = { limit, ...(after !== undefined && { after }) }
      const found = await tasks.list(of, queryOf(filter, now), page)
      return { ...found, data: found.data.map((row) => taskView(row, now)) }
    },
    get: async (id) => {
      const row = await tasks.get(of, id)
      return row && taskView(row, clock.now())
    },
    complete: async (id, { by, result } = {}) => {
      if (by !== undefined) assertId(by, 'by')
      const said = {
        ...(by !== undefined && { by }),
        ...(result !== undefined && { result: storedResult(result) }),
      }
      const isDone = await tasks.complete(of, id, { at: clock.now(), ...said })
      const task = await find(id)
      if (!isDone) assertSame(task, id, said)
      await tellOf(parts, task)
      return { task: taskView(task, clock.now()), repeated: !isDone }
    },
  }
}
