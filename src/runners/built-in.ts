// Owns the list of runners that Pawl brings along. A program's own runner of the same type takes the place of one.

import type { Egress } from '../egress/egress.ts'
import { type ApiCallDeps, createApiCall } from './api-call/api-call.ts'
import { createDelay } from './delay.ts'
import { createEmail, type EmailDeps } from './email/email.ts'
import { createFunction, type FunctionDeps } from './function.ts'
import type { AnyRunner } from './runner.ts'
import { createTask, type TaskDeps } from './task.ts'
import { createWebhook } from './webhook/webhook.ts'

export interface BuiltInDeps extends Pick<ApiCallDeps, 'outbox' | 'defaultProvider' | 'services'> {
  /** With it, email is there too: SMTP needs the door itself. */
  readonly egress?: Egress
  readonly providers?: EmailDeps['providers']
  readonly templates?: NonNullable<EmailDeps['templates']>
  /** With it, task is there too. */
  readonly addTask?: TaskDeps['add']
  /** With some, function is there too. */
  readonly functions?: FunctionDeps['functions']
  /** What one action of a type costs: those of email and api_call belong to their providers and services. */
  readonly costs?: Readonly<Partial<Record<'webhook' | 'task' | 'function', number>>>
}

const priced = (cost: number | undefined): { readonly cost?: number } => (cost === undefined ? {} : { cost })

export const builtInRunners = (deps: BuiltInDeps): readonly AnyRunner[] => {
  const { egress, providers = {}, templates, addTask, functions = {}, costs = {} } = deps
  return [
    createWebhook({ ...deps, ...priced(costs.webhook) }),
    createApiCall(deps),
    createDelay(),
    ...(egress ? [createEmail({ ...deps, egress, providers, ...(templates && { templates }) })] : []),
    ...(addTask ? [createTask({ ...deps, add: addTask, ...priced(costs.task) })] : []),
    ...(Object.keys(functions).length > 0
      ? [createFunction({ ...deps, functions, ...priced(costs.function) })]
      : []),
  ]
}
