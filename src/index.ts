// The public names of Pawl, one by one: what is not here may change without a word.

export type { ActionRequest, Delivery } from './core/action.ts'
export { type ActionError, permanent, retryable } from './core/action-error.ts'
export { type ErrorCode, PawlError } from './core/errors.ts'
export type { Event } from './core/event.ts'
export type { Json, JsonObject } from './core/json.ts'
export type { Schema } from './core/schema.ts'
export {
  type EventInput,
  machine,
  type SendableEvent,
  type StartInput,
  type StateOf,
  type TypedMachine,
  type VariablesOf,
} from './definitions/machine.ts'

export { type Occasion, type RecurringDefinition, recurring } from './definitions/recurring.ts'

import { open } from './pawl/open.ts'
import type { Pawl as OpenPawl } from './pawl/surface.ts'

export type { Sent } from './engine/advance.ts'
export type { AlertChannel } from './engine/alert-channels.ts'
export type { Dispatched } from './engine/dispatch.ts'
export type { Recommendation } from './engine/health-advice.ts'
export type { ActionMetrics } from './engine/health-metrics.ts'
export type { Level, LogSink } from './engine/log.ts'
export type { Why } from './engine/why.ts'
export type { Reason } from './engine/why-limits.ts'
export type { AgendaQuery } from './pawl/agenda.ts'
export type { AgendaEntry } from './pawl/agenda-entry.ts'
export type { AlertView } from './pawl/alerts.ts'
export type {
  ArchiveRequest,
  BulkFailure,
  BulkView,
  CancelRequest,
  DeadFilter,
  ReplayRequest,
} from './pawl/bulk.ts'
export type { DeadGroupView, FailedAction } from './pawl/dead.ts'
export type { ActionHealth, Stats } from './pawl/health.ts'
export type { Definition } from './pawl/known.ts'
export type { PawlOptions } from './pawl/open.ts'
export type { OutboxView } from './pawl/outbox.ts'
export type { NewRecurrence } from './pawl/recurring.ts'
export type {
  DispatchEntry,
  DispatchOptions,
  Inside,
  PauseTarget,
  Run,
  SendOptions,
  SendResult,
  StopWorking,
  WorkRequest,
} from './pawl/surface.ts'
export type { TaskFilter, TaskView } from './pawl/tasks.ts'
export type { ActionView, AttemptView, ExecutionView } from './pawl/views.ts'
export type { ActionOptions } from './runners/action-options.ts'
export type { NamedFunction } from './runners/function.ts'
export { type Permission, type Runner, type RunnerRequest, runner } from './runners/runner.ts'
export type { FetchRequest, FetchResponse, RunnerContext } from './runners/runner-context.ts'
export { type SecretText, secret } from './secrets/reference.ts'

/** Opens a store and everything that works on it. */
export const Pawl = { open }
export type Pawl = OpenPawl
