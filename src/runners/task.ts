// Owns the task runner (J-022): its effect is a row that a person does later. The row's id is made of the action's key, so
// that a repeated attempt finds the row it made: exactly once. That it was done is told by whoever completes it.

import { z } from 'zod'
import { permanent } from '../core/action-error.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { instantsOn } from '../core/time/calendar.ts'
import { parseDate } from '../core/time/date.ts'
import { DEFAULT_DST } from '../core/time/dst.ts'
import { durationMs } from '../core/time/duration.ts'
import { parseInstant } from '../core/time/instant.ts'
import { assertZone } from '../core/time/zone.ts'
import { keepIn, type Outbox } from './outbox.ts'
import { runner } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'
import { strictConfig } from './strict-config.ts'

interface NewTask {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly assignee?: string
  readonly dueAt?: number
  readonly data?: JsonObject
  readonly actionId: string
  readonly actionName: string
  readonly execution?: string
  readonly createdAt: number
}

export interface TaskDeps {
  /** Keeps it, unless one of that id is there. */
  readonly add: (
    of: { readonly namespace: string; readonly tenant: string },
    task: NewTask,
  ) => Promise<unknown>
  readonly outbox: Outbox
  readonly defaultProvider?: 'sandbox'
  /** What one task costs, in whatever unit the tenant counts. */
  readonly cost?: number
}

const line = (most: number) => z.string('expected text').min(1, 'expected text').max(most)

const readable =
  (read: (text: string) => unknown) =>
  (text: string, context: z.core.$RefinementCtx): void => {
    // A placeholder is read when it is filled in.
    if (text.includes('{{')) return
    try {
      read(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof PawlError ? error.message : 'not readable',
      })
    }
  }

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

const config = strictConfig(
  {
    provider: z.literal('sandbox', 'expected sandbox').optional(),
    title: line(500),
    description: line(10_000).optional(),
    assignee: line(254).optional(),
    /** The same, in the words of journeys. */
    assignedTo: line(254).optional(),
    /** An instant, or a date: due when that day is over in `zone`. */
    dueDate: z
      .string('expected a date such as 2026-12-31, or an instant')
      .superRefine(readable((text) => (isDate(text) ? parseDate(text) : parseInstant(text))))
      .optional(),
    /** Counted from when the action was made. */
    dueIn: z
      .union([z.string(), z.number()], 'expected a duration such as 3d')
      .superRefine((given, context) => readable(() => durationMs(given))(String(given), context))
      .optional(),
    zone: z.string().superRefine(readable(assertZone)).default('UTC'),
    /** Whatever whoever does it may need. */
    data: z.record(z.string(), z.json()).optional(),
  },
  {
    due: 'say dueDate (a date or an instant) or dueIn (a duration)',
    dueAt: 'it is an option of the action; when the task is due is dueDate or dueIn',
    body: 'it is called description',
    text: 'it is called description',
  },
)
  .refine(({ assignee, assignedTo }) => assignee === undefined || assignedTo === undefined, {
    error: 'assignee and assignedTo are the same: give one',
    path: ['assignedTo'],
  })
  .refine(({ dueDate, dueIn }) => dueDate === undefined || dueIn === undefined, {
    error: 'give dueDate or dueIn, not both',
    path: ['dueIn'],
  })

type Config = z.output<typeof config>

const result = z.object({
  taskId: z.string(),
  title: z.string(),
  assignee: z.string().nullable(),
  dueAt: z.iso.datetime().nullable(),
})

/** A day is over where it was meant, also when a clock is changed at midnight. */
const endOfDay = (date: string, zone: string): number =>
  instantsOn(parseDate(date) + 1, 0, zone, DEFAULT_DST)[0]!

const dueAtOf = ({ dueDate, dueIn, zone }: Config, createdAt: number): number | undefined => {
  if (dueIn !== undefined) return createdAt + durationMs(dueIn, 'dueIn')
  if (dueDate === undefined) return undefined
  return isDate(dueDate) ? endOfDay(dueDate, zone) : parseInstant(dueDate)
}

/** A text of the config that a value made unreadable: no attempt mends it. */
const readDue = (given: Config, createdAt: number): number | undefined => {
  try {
    return dueAtOf(given, createdAt)
  } catch (error) {
    if (error instanceof PawlError) throw permanent('invalid_configuration', error.message)
    throw error
  }
}

const taskOf = (given: Config, ctx: RunnerContext): NewTask => {
  const { title, description, data, assignee = given.assignedTo } = given
  const { actionId = ctx.stepKey, actionName = 'task', createdAt = ctx.timestamp, executionId } = ctx
  const dueAt = readDue(given, createdAt)
  return {
    id: `task_${ctx.idempotencyKey.replace(/^key_/, '')}`,
    title,
    ...(description !== undefined && { description }),
    ...(assignee !== undefined && { assignee }),
    ...(dueAt !== undefined && { dueAt }),
    ...(data !== undefined && { data: data as JsonObject }),
    actionId,
    actionName,
    ...(executionId !== undefined && { execution: executionId }),
    createdAt,
  }
}

export const createTask = (deps: TaskDeps) => {
  const { add, outbox, cost } = deps
  const isSandbox = (given: Config): boolean => (given.provider ?? deps.defaultProvider) === 'sandbox'
  return runner({
    type: 'task',
    config,
    result,
    event: 'task_created',
    delivery: 'at_least_once',
    // J-030: our own store is what can fail, and five minutes are a long time for it.
    defaults: { retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: '5m' } },
    permissions: [{ kind: 'store', value: 'tasks' }],
    // S27: a task is shown to people.
    secrets: [],
    metadata: ({ result: { taskId, assignee } }) => ({ taskId, assignee }),
    ...(cost !== undefined && { cost: (done: { config: Config }) => (isSandbox(done.config) ? 0 : cost) }),
    execute: async ({ config: given, ctx }) => {
      const { namespace = 'default', tenant = 'default' } = ctx
      const task = taskOf(given, ctx)
      const { id: taskId, title, assignee = null, dueAt } = task
      if (isSandbox(given)) await keepIn(outbox, ctx, 'task', { ...task })
      else await add({ namespace, tenant }, task)
      return { taskId, title, assignee, dueAt: dueAt === undefined ? null : new Date(dueAt).toISOString() }
    },
  })
}
