// Owns what a runner is: code that performs actions of one type. Calling it performs nothing, it *describes* an
// action; a trigger returns the description and the engine makes it durable. Performing is perform.ts.

import type { ActionRequest, Delivery } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import { FAILED, STARTED, SUCCEEDED, TIMER_FIRED, VARIABLES_PATCHED } from '../core/event.ts'
import { assertStorable, type Json, type JsonObject } from '../core/json.ts'
import { plain } from '../core/plain.ts'
import { normalisePolicy } from '../core/retry.ts'
import {
  checkWith,
  type InputOf,
  inWords,
  isSchema,
  type Misfit,
  type OutputOf,
  type Schema,
} from '../core/schema.ts'
import { durationMs } from '../core/time/duration.ts'
import { holdsReference, liftReferences } from '../secrets/reference.ts'
import { type ActionOptions, mergeOptions } from './action-options.ts'
import type { RunnerContext } from './runner-context.ts'

/** What a runner needs beyond its own code; checked when definitions are registered. */
export interface Permission {
  readonly kind: 'egress' | 'secret' | 'store'
  readonly value: string
}

interface Work<Config> {
  readonly config: Config
  readonly ctx: RunnerContext
}

/** A finished effect, for what is derived from it. */
export interface Done<Config, Result> {
  readonly config: Config
  readonly result: Result
  readonly durationMs: number
}

export type MaybePromise<T> = T | Promise<T>

/** Methods, not function properties: a runner of any types is then also a runner of unknown ones. */
export interface RunnerDefinition<
  Type extends string = string,
  Config extends Schema = Schema,
  Result extends Schema = Schema,
  Event extends string = string,
  Fields = unknown,
> {
  /** The word actions carry: `email`. */
  readonly type: Type
  /** Standard Schema. Fields with a default are optional for whoever calls the runner. */
  readonly config: Config
  /** Standard Schema of what `execute` returns. Without it the result is any JSON. */
  readonly result?: Result
  /** The name of the event a machine gets when the action succeeded; `action.succeeded` unless given. */
  readonly event?: Event
  /** Options for every action of this runner; the caller's own win, one by one. */
  readonly defaults?: ActionOptions
  readonly delivery?: Delivery
  readonly permissions?: readonly Permission[]
  /** Where in a config a secret may stand, as pointers: `/headers/*`, `/auth/token`. Anywhere else it is refused. */
  readonly secrets?: readonly string[]
  /** What the effect cost, in whatever unit the tenant counts. */
  cost?(done: Done<OutputOf<Config>, OutputOf<Result>>): number
  /** Remembered with the attempt, for people. */
  metadata?(done: Done<OutputOf<Config>, OutputOf<Result>>): JsonObject
  /** The fields of the event; those of the result unless given. */
  eventPayload?(done: Done<OutputOf<Config>, OutputOf<Result>>): Fields
  /** Under `delivery: 'reconcile'`, asked before every repetition: the result, if the effect has happened already. */
  reconcile?(work: Work<OutputOf<Config>>): MaybePromise<InputOf<Result> | undefined>
  /** Performs the effect: returns its result or throws (`retryable`, `permanent`, or anything). */
  execute(work: Work<OutputOf<Config>>): MaybePromise<InputOf<Result>>
}

/** What the engine and `uses` know of any runner, whatever its types. */
export interface AnyRunner<Type extends string = string, Event extends string = string, Payload = unknown> {
  readonly type: Type
  readonly event: Event
  /** F-043. */
  validateConfig(config: unknown): { readonly isValid: boolean; readonly errors: readonly Misfit[] }
  getRequiredPermissions(): readonly Permission[]
  /** As it was written, its types forgotten. */
  readonly definition: RunnerDefinition
  /** For the compiler only: the payload of the result event. */
  readonly '~payload'?: Payload
}

/** A described action; nothing has happened yet. */
export interface RunnerRequest<Type extends string, Event extends string, Payload> extends ActionRequest {
  readonly type: Type
  readonly literal: true
  /** For the compiler only. */
  readonly '~event'?: { readonly type: Event; readonly payload: Payload }
}

export interface Runner<Type extends string, Config extends Schema, Event extends string, Payload>
  extends AnyRunner<Type, Event, Payload> {
  (config: InputOf<Config>, options?: ActionOptions): RunnerRequest<Type, Event, Payload>
}

type FieldsOf<Result> = Result extends readonly unknown[] ? unknown : Result extends object ? Result : unknown
/** The payload of a result event: the fields flat, the action it came from, and the result as it is. */
export type ResultPayload<Fields, Result> = (
  Fields extends unknown
    ? Omit<Fields, 'actionId' | 'result'> & { actionId: string; result: Result }
    : never
) extends infer Payload
  ? { readonly [Key in keyof Payload]: Payload[Key] }
  : never

/**
 * Makes a runner.
 * @example
 * const notify = runner({
 *   type: 'notify',
 *   config: z.object({ to: z.string(), text: z.string() }),
 *   result: z.object({ id: z.string() }),
 *   execute: async ({ config, ctx }) => { … },
 * })
 */
export const runner = <
  const Type extends string,
  Config extends Schema,
  Result extends Schema = Schema<unknown, Json>,
  const Event extends string = 'action.succeeded',
  Fields = FieldsOf<OutputOf<Result>>,
>(
  definition: RunnerDefinition<Type, Config, Result, Event, Fields>,
): Runner<Type, Config, Event, ResultPayload<Fields, OutputOf<Result>>> => {
  assertRunner(definition)
  const { type, delivery, defaults = {}, permissions = [], secrets = [] } = definition
  const describe = (config: InputOf<Config>, options: ActionOptions = {}) => ({
    type,
    ...storedConfig(type, config, secrets),
    options: mergeOptions(delivery === undefined ? {} : { delivery }, defaults, options),
    literal: true as const,
  })
  const check = checkWith(definition.config)
  return Object.assign(describe, {
    type,
    event: definition.event ?? (SUCCEEDED as Event),
    validateConfig: (config: unknown) => {
      const checked = check(config)
      return { isValid: checked.fits, errors: checked.fits ? [] : checked.misfits }
    },
    getRequiredPermissions: () => permissions,
    definition,
  })
}

/** JSON from here on: the first attempt, in memory, sees what the tenth reads from the store. */
const storedConfig = (
  type: string,
  config: unknown,
  marks: readonly string[],
): Pick<ActionRequest, 'config' | 'secrets'> => {
  const checked = plain(config)
  if (!checked.fits)
    throw new PawlError(
      'config_invalid',
      `the config of ${type} cannot be stored: ${inWords(checked.misfits)}`,
      {
        path: ['config', checked.misfits[0]!.path].filter(Boolean).join('.'),
        expected: 'JSON; a date as an ISO text',
      },
    )
  const { value, secrets } = holdsReference(config)
    ? liftReferences(config, marks)
    : { value: checked.value, secrets: [] }
  assertStorable(value, `the config of ${type}`)
  return { config: value, ...(secrets.length > 0 && { secrets }) }
}

/** The engine says these itself; a runner that did would be taken for it. */
const ENGINE_EVENTS: readonly string[] = [STARTED, FAILED, TIMER_FIRED, VARIABLES_PATCHED]

/** What the compiler says to TypeScript, said to JavaScript too, where the runner is written and not at midnight. */
const assertRunner = (definition: RunnerDefinition): void => {
  const { type, config, event, delivery, reconcile, execute, defaults = {} } = definition
  if (typeof type !== 'string' || type === '')
    throw refused('type', 'a runner needs a type', 'a word such as email')
  const fail = (path: string, message: string, expected: string) => {
    throw refused(path, `the runner ${type}: ${message}`, expected)
  }
  if (!isSchema(config))
    fail('config', 'config is not a schema', 'a Standard Schema, for example z.object({…})')
  if (definition.result !== undefined && !isSchema(definition.result))
    fail('result', 'result is not a schema', 'a Standard Schema, for example z.object({…})')
  if (typeof execute !== 'function')
    fail('execute', 'execute is not a function', 'execute({ config, ctx }) { … }')
  if (event !== undefined && ENGINE_EVENTS.includes(event))
    fail('event', `“${event}” is an event of the engine`, 'a name of its own, such as email_sent')
  if (delivery === 'reconcile' && reconcile === undefined)
    fail(
      'reconcile',
      'delivery is reconcile, but there is no reconcile()',
      'a function that asks the provider',
    )
  if (defaults.retryPolicy) normalisePolicy(defaults.retryPolicy, 'defaults.retryPolicy')
  for (const name of ['delay', 'timeout', 'expiresAfter'] as const)
    if (defaults[name] !== undefined) durationMs(defaults[name], `defaults.${name}`)
}

const refused = (path: string, message: string, expected: string): PawlError =>
  new PawlError('invalid_definition', message, { path, expected })
