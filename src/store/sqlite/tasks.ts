// Owns the rows of tasks over SQLite.

import type { JsonObject } from '../../core/json.ts'
import type { Cursors } from '../cursor.ts'
import { narrow, type Position } from '../narrow.ts'
import type { Tenancy } from '../store.ts'
import type { Completion, NewTask, TaskQuery, TaskRow, Tasks } from '../tasks.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

interface TaskRecord extends Tenancy, Position {
  readonly status: 'open' | 'done'
  readonly execution: string | null
  readonly assignee: string | null
  readonly due_at: number | null
  readonly created_at: number
  readonly completed_at: number | null
  readonly task: string
  readonly ending: string | null
}

/** What has no column of its own. */
type Told = Pick<NewTask, 'title' | 'description' | 'data' | 'actionId' | 'actionName'>

const completedOf = ({ id, completed_at, ending }: TaskRecord): { readonly completed?: Completion } =>
  completed_at === null
    ? {}
    : { completed: { at: completed_at, ...unseal<JsonObject>(ending!, `the end of task ${id}`) } }

const toTask = (row: TaskRecord): TaskRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  ...unseal<Told>(row.task, `task ${row.id}`),
  ...(row.execution !== null && { execution: row.execution }),
  ...(row.assignee !== null && { assignee: row.assignee }),
  ...(row.due_at !== null && { dueAt: row.due_at }),
  createdAt: row.created_at,
  ...completedOf(row),
})

const columnsOf = ({ namespace, tenant }: Tenancy, task: NewTask) => {
  const { id, execution = null, assignee = null, dueAt: due_at = null, createdAt: created_at, ...told } = task
  return { namespace, tenant, id, execution, assignee, due_at, created_at, task: seal(told) }
}

type Fetch = (behind: Position, limit: number) => readonly TaskRecord[]

const fetcher = (sql: Statements, { namespace, tenant }: Tenancy, query: TaskQuery): Fetch => {
  const by =
    (value: string, statement: Statements['tasksOfStatus']): Fetch =>
    ({ at, id }, limit) =>
      statement.all({ namespace, tenant, value, at, id, limit })
  if (query.execution !== undefined) return by(query.execution, sql.tasksOfExecution)
  if (query.status !== undefined) return by(query.status, sql.tasksOfStatus)
  if (query.assignee !== undefined) return by(query.assignee, sql.tasksOfAssignee)
  return ({ at, id }, limit) => sql.recentTasks.all({ namespace, tenant, at, id, limit })
}

const fits = (row: TaskRecord, { status, dueBefore, assignee }: TaskQuery): boolean =>
  (status === undefined || row.status === status) &&
  (assignee === undefined || row.assignee === assignee) &&
  (dueBefore === undefined || (row.due_at !== null && row.due_at < dueBefore))

export const createTasks = ({ sql }: Connection, writer: Writer, cursors: Cursors): Tasks => ({
  add: (of, task) =>
    writer
      .run(1, () => {
        const columns = columnsOf(of, task)
        sql.insertTask.run(columns)
        const { namespace, tenant, id } = columns
        return toTask(sql.findTask.get<TaskRecord>({ namespace, tenant, id })!)
      })
      .catch((error) => {
        throw memberError(error)
      }),
  get: ({ namespace, tenant }, id) =>
    writer.read(() => {
      const row = sql.findTask.get<TaskRecord>({ namespace, tenant, id })
      return row && toTask(row)
    }),
  list: (of, query, page) => {
    const fetch = fetcher(sql, of, query)
    return narrow(
      {
        query: ['tasks', of.namespace, of.tenant, { ...query }],
        cursors,
        fetch: (behind, limit) => writer.read(() => fetch(behind, limit)),
        fits: (row) => fits(row, query),
        read: toTask,
      },
      page,
    )
  },
  complete: ({ namespace, tenant }, id, { at: completed_at, ...ending }) =>
    writer.run(
      1,
      () => sql.completeTask.run({ namespace, tenant, id, completed_at, ending: seal(ending) }) === 1,
    ),
  told: async ({ namespace, tenant }, id) => {
    await writer.run(1, () => sql.tellTask.run({ namespace, tenant, id }))
  },
  untold: (before, limit) =>
    writer.read(() => sql.untoldTasks.all<TaskRecord>({ before, limit }).map(toTask)),
})
