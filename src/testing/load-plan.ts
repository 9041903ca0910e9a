// Owns `generateLoadTest` (F-111): a plan, as data, of how often and with what an action is to be asked for. Running it is
// load-run.ts. The same definition and config give the same plan.

import type { ActionData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { normalisePolicy } from '../core/retry.ts'
import { type DurationText, durationMs } from '../core/time/duration.ts'
import { MESSAGE, readAction, refusal } from './action-machine.ts'

export interface LoadContext {
  readonly name?: string
  /** How often, beside the others. Default 1. */
  readonly weight?: number
  readonly variables?: JsonObject
  readonly payload?: Json
}

export interface LoadTestConfig {
  /** People who ask at the same time; each waits for the end before asking again. */
  readonly concurrency: number
  readonly duration: DurationText | number
  /** Over which they arrive, one after the other. Default 0. */
  readonly rampUpTime?: DurationText | number
  /** How long each rests between two. Default 1 s. */
  readonly pause?: DurationText | number
  /** What it is rendered with. Default: one, its values made up from the placeholders of the definition. */
  readonly contexts?: readonly LoadContext[]
  /** The share, from 0 to 1, whose first attempt is made to fail. Default 0. */
  readonly faultRate?: number
}

export interface LoadScenario {
  readonly name: string
  readonly weight: number
  readonly variables: JsonObject
  readonly message: { readonly type: string; readonly payload: Json }
  /** The error its first attempt ends with. */
  readonly fault?: string
}

export interface LoadTestPlan {
  readonly actionId: string
  readonly concurrency: number
  /** Milliseconds, as are the other two. */
  readonly duration: number
  readonly rampUpTime: number
  readonly pause: number
  readonly scenarios: readonly LoadScenario[]
  readonly action: ActionData
}

const MAX_CONCURRENCY = 10_000

/** `{{execution.variables.owner.email}}` → a value at owner.email. Text only: what needs more is given in contexts. */
const madeUp = (config: Json, root: RegExp): JsonObject => {
  const made: Record<string, unknown> = Object.create(null)
  for (const [, path] of JSON.stringify(config).matchAll(root)) {
    const keys = path!.split('.')
    let place = made
    for (const key of keys.slice(0, -1)) {
      const below = Object.hasOwn(place, key) ? place[key] : undefined
      const next = typeof below === 'object' && below !== null ? below : Object.create(null)
      place[key] = next
      place = next as Record<string, unknown>
    }
    const last = keys.at(-1)!
    if (!Object.hasOwn(place, last)) place[last] = `${last}-1`
  }
  return JSON.parse(JSON.stringify(made))
}

const VARIABLES = /\{\{\s*(?:execution\.variables|variables|context|subject)\.([A-Za-z_][\w.]*\w|[A-Za-z_])/g
const PAYLOAD = /\{\{\s*(?:message|event)\.(?:payload|data)\.([A-Za-z_][\w.]*\w|[A-Za-z_])/g

const scenariosOf = (action: ActionData, config: LoadTestConfig): readonly LoadScenario[] => {
  const { faultRate = 0, contexts = [{}] } = config
  const sound = contexts.map(
    ({ name, weight = 1, variables, payload }, index): LoadScenario => ({
      name: name ?? (contexts.length === 1 ? 'typical' : `typical ${index + 1}`),
      weight: weight * (1 - faultRate),
      variables: variables ?? madeUp(action.config, VARIABLES),
      message: { type: MESSAGE, payload: payload ?? madeUp(action.config, PAYLOAD) },
    }),
  )
  if (faultRate === 0) return sound
  const faults = faultsOf(action)
  return [
    ...sound.filter(({ weight }) => weight > 0),
    ...sound.flatMap((scenario, index) =>
      faults.map((fault) => ({
        ...scenario,
        name: `${scenario.name}, ${fault} first`,
        weight: ((contexts[index]!.weight ?? 1) * faultRate) / faults.length,
        fault,
      })),
    ),
  ]
}

/** What it says it is tried again after, or what providers fail with most. */
const faultsOf = ({ retryPolicy }: ActionData): readonly string[] => {
  const listed = (retryPolicy && normalisePolicy(retryPolicy).retryableErrors) ?? []
  return listed.length > 0 ? listed : ['service_unavailable', 'rate_limit']
}

const assertPlan = ({ concurrency, faultRate = 0, contexts }: LoadTestConfig): void => {
  const refuse = (path: string, message: string, expected: string): void => {
    throw new PawlError('invalid_option', message, { path, expected })
  }
  if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    refuse('concurrency', `a concurrency of ${concurrency} is not possible`, `1 to ${MAX_CONCURRENCY}`)
  if (!(faultRate >= 0 && faultRate <= 1))
    refuse('faultRate', `a fault rate of ${faultRate} is not possible`, 'a share from 0 to 1')
  if (contexts !== undefined && !(contexts.length > 0 && contexts.every(({ weight = 1 }) => weight > 0)))
    refuse('contexts', 'there is no context to ask with', 'one at least, each with a weight above 0')
}

/**
 * @example
 * const plan = generateLoadTest(notifyCrm, { concurrency: 20, duration: '10m', rampUpTime: '1m', faultRate: 0.1 })
 */
export const generateLoadTest = (definition: unknown, config: LoadTestConfig): LoadTestPlan => {
  const { action, problems } = readAction(definition)
  if (action === undefined) throw refusal(problems)
  assertPlan(config)
  const { concurrency, duration, rampUpTime = 0, pause = 1000 } = config
  return {
    actionId: action.actionId,
    concurrency,
    duration: durationMs(duration, 'duration'),
    rampUpTime: durationMs(rampUpTime, 'rampUpTime'),
    pause: durationMs(pause, 'pause'),
    scenarios: scenariosOf(action, config),
    action,
  }
}
