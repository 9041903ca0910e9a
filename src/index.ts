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

import { open } from './pawl/open.ts'
import type { Pawl as OpenPawl } from './pawl/surface.ts'

export type { Sent } from './engine/advance.ts'
export type { Dispatched } from './engine/dispatch.ts'
export type { Level, LogSink } from './engine/log.ts'
export type { Reason, Why } from './engine/why.ts'
export type { Definition } from './pawl/known.ts'
export type { PawlOptions } from './pawl/open.ts'
export type {
  DispatchOptions,
  Inside,
  PauseTarget,
  Run,
  SendOptions,
  SendResult,
  StopWorking,
  WorkRequest,
} from './pawl/surface.ts'
export type { ActionView, AttemptView, ExecutionView } from './pawl/views.ts'
export type { ActionOptions } from './runners/action-options.ts'
export { type Permission, type Runner, type RunnerRequest, runner } from './runners/runner.ts'
export type { FetchRequest, FetchResponse, RunnerContext } from './runners/runner-context.ts'
export { type SecretText, secret } from './secrets/reference.ts'

/** Opens a store and everything that works on it. */
export const Pawl = { open }
export type Pawl = OpenPawl
