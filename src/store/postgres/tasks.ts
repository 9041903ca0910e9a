// Owns the rows of tasks over PostgreSQL.

import type { JsonObject } from '../../core/json.ts'
import type { Cursors } from '../cursor.ts'
import { narrow, type Position } from '../narrow.ts'
import type { Tenancy } from '../store.ts'
import type { Completion, NewTask, TaskQuery, TaskRow, Tasks } from '../tasks.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

interface TaskRecord extends Tenancy, Position {
  readonly status: 'open' | 'done'
  readonly execution: string | null
  readonly assignee: string | null
  readonly due_at: number | null
  readonly created_at: number
  readonly completed_at: number | null
  readonly task: Told
  readonly ending: JsonObject | null
}

/** What has no column of its own. */
type Told = Pick<NewTask, 'title' | 'description' | 'data' | 'actionId' | 'actionName'>

const completedOf = ({ completed_at, ending }: TaskRecord): { readonly completed?: Completion } =>
  completed_at === null ? {} : { completed: { at: completed_at, ...ending } }

const toTask = (row: TaskRecord): TaskRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  ...row.task,
  ...(row.execution !== null && { execution: row.execution }),
  ...(row.assignee !== null && { assignee: row.assignee }),
  ...(row.due_at !== null && { dueAt: row.due_at }),
  createdAt: row.created_at,
  ...completedOf(row),
})

const columnsOf = ({ namespace, tenant }: Tenancy, task: NewTask) => {
  const { id, execution = null, assignee = null, dueAt: due_at = null, createdAt: created_at, ...told } = task
  return { namespace, tenant, id, execution, assignee, due_at, created_at, task: JSON.stringify(told) }
}

type Fetch = (behind: Position, limit: number) => Promise<readonly TaskRecord[]>
type ByValue = 'tasksOfExecution' | 'tasksOfStatus' | 'tasksOfAssignee'

const fetcher = (sql: Statements, { namespace, tenant }: Tenancy, query: TaskQuery): Fetch => {
  const by =
    (value: string, statement: ByValue): Fetch =>
    async ({ at, id }, limit) =>
      (await sql[statement]<TaskRecord>({ namespace, tenant, value, at, id, limit })).rows
  if (query.execution !== undefined) return by(query.execution, 'tasksOfExecution')
  if (query.status !== undefined) return by(query.status, 'tasksOfStatus')
  if (query.assignee !== undefined) return by(query.assignee, 'tasksOfAssignee')
  return async ({ at, id }, limit) =>
    (await sql.recentTasks<TaskRecord>({ namespace, tenant, at, id, limit })).rows
}

const fits = (row: TaskRecord, { status, dueBefore, assignee }: TaskQuery): boolean =>
  (status === undefined || row.status === status) &&
  (assignee === undefined || row.assignee === assignee) &&
  (dueBefore === undefined || (row.due_at !== null && row.due_at < dueBefore))

export const createTasks = (connections: Connections, patience: Patience, cursors: Cursors): Tasks => {
  const sql = repeatable(connections, patience)
  /** In a transaction of its own: durable whatever the server's default, and its end is known. */
  const write = <Value>(work: (sql: Statements) => Promise<Value>): Promise<Value> =>
    patiently(patience, () => connections.transact((caller) => work(caller.sql))).catch((error) => {
      throw memberError(error)
    })
  return {
    add: (of, task) =>
      write(async (sql) => {
        const columns = columnsOf(of, task)
        await sql.insertTask(columns)
        const { namespace, tenant, id } = columns
        return toTask((await sql.findTask<TaskRecord>({ namespace, tenant, id })).rows[0]!)
      }),
    get: async ({ namespace, tenant }, id) => {
      const [row] = (await sql.findTask<TaskRecord>({ namespace, tenant, id })).rows
      return row && toTask(row)
    },
    list: (of, query, page) =>
      narrow(
        {
          query: ['tasks', of.namespace, of.tenant, { ...query }],
          cursors,
          fetch: fetcher(sql, of, query),
          fits: (row) => fits(row, query),
          read: toTask,
        },
        page,
      ),
    complete: async ({ namespace, tenant }, id, { at: completed_at, ...rest }) => {
      const ending = JSON.stringify(rest)
      const done = await write((sql) => sql.completeTask({ namespace, tenant, id, completed_at, ending }))
      return done.count === 1
    },
    told: async ({ namespace, tenant }, id) => {
      await write((sql) => sql.tellTask({ namespace, tenant, id }))
    },
    untold: async (before, limit) => (await sql.untoldTasks<TaskRecord>({ before, limit })).rows.map(toTask),
  }
}
