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
export type { ActionOptions } from './runners/action-options.ts'
export { type Permission, type Runner, type RunnerRequest, runner } from './runners/runner.ts'
export type { FetchRequest, FetchResponse, RunnerContext } from './runners/runner-context.ts'
