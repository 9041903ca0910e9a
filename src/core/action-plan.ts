// Owns the step from "please do this" to an action that can be written down: condition evaluated, config rendered,
// defaults resolved, durations in milliseconds, key derived. What cannot be rendered becomes a dead action that a
// person can see and mend, never a lost one.

import type { ActionPlan, ActionRequest, Delivery, RequestOptions } from './action.ts'
import type { ActionError } from './action-error.ts'
import { compileCondition, evaluate } from './condition.ts'
import { explain, PawlError } from './errors.ts'
import type { Json } from './json.ts'
import { normalisePolicy, type PresetSource, presetFor } from './retry.ts'
import { render, renderText } from './template/render.ts'
import type { Scope } from './template/scope.ts'
import { durationMs } from './time/duration.ts'
import { parseInstant } from './time/instant.ts'
import { parseWindow } from './time/window.ts'

const DEFAULT_PRIORITY = 50
const DEFAULT_TIMEOUT_MS = 30_000
const RECONCILER_TIMEOUT_MS = 300_000

/** RELIABILITY: a text message has no key its provider would honour, so it is not sent twice by default. */
const DELIVERY_BY_TYPE: ReadonlyMap<string, Delivery> = new Map([
  ['sms', 'at_most_once'],
  ['docusign_envelope', 'reconcile'],
  ['blockchain_mint', 'reconcile'],
  ['slack', 'reconcile'],
])

export interface PlanContext {
  readonly source: PresetSource
  readonly stepKey: string
  readonly name: string
  /** What placeholders and conditions may name: made when there are any. */
  readonly scope: () => Scope
  readonly now: number
}

export const planAction = (request: ActionRequest, context: PlanContext): ActionPlan => {
  const settled = resolve(request, context)
  try {
    if (!holds(request.options.condition, context.scope))
      return { ...settled, status: 'skipped', error: SKIPPED, config: request.config }
    return Object.assign(settled, renderRequest(request, context.scope))
  } catch (failure) {
    if (!(failure instanceof PawlError)) throw failure
    return { ...settled, status: 'dead', error: unrenderable(failure), config: request.config }
  }
}

const nameOf = ({ options, type }: ActionRequest): string => options.name ?? type

/** `email`, then `email#2` for the second request of that name in one decision. No two are ever equal. */
export const distinctNames = (requests: readonly ActionRequest[]): readonly string[] => {
  if (requests.length < 2) return requests.map(nameOf)
  const taken = new Set<string>()
  return requests.map((request) => {
    const wanted = nameOf(request)
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}#${count}`
    taken.add(name)
    return name
  })
}

const holds = (condition: Json | undefined, scope: () => Scope): boolean =>
  condition === undefined || evaluate(compileCondition(condition), scope())

type Filled = Pick<ActionPlan, 'config' | 'secrets' | 'summary' | 'dedup' | 'limit'>

const renderRequest = (request: ActionRequest, scopeOf: () => Scope): Filled => {
  if (request.literal) return filled(request, request.config, request.secrets ?? [], asItIs)
  const scope = scopeOf()
  const { value, secrets } = render(request.config, scope)
  return filled(request, value, secrets, (text) => renderText(text, scope))
}

const asItIs = (text: string): string => text

/** What is not given is not there; put in by hand, because every action is planned and most options are not given. */
export type Growing<Part> = { -readonly [Name in keyof Part]: Part[Name] }

const filled = (
  { options: { summary, dedup, limit } }: ActionRequest,
  config: Json,
  secrets: ActionPlan['secrets'],
  text: (value: string) => string,
): Filled => {
  const made: Growing<Filled> = { config, secrets }
  if (summary !== undefined) made.summary = text(summary)
  if (dedup)
    made.dedup = {
      key: text(dedup.key),
      ...(dedup.for !== undefined && { forMs: durationMs(dedup.for, 'dedup.for') }),
    }
  if (limit) made.limit = { ...limit, key: text(limit.key) }
  return made
}

const resolve = (request: ActionRequest, context: PlanContext): Growing<ActionPlan> => {
  const { options, type } = request
  const { source, now } = context
  const timeout = options.timeout ?? (source === 'reconciler' ? RECONCILER_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
  const dueAt = dueAtOf(options, now)
  const plan: Growing<ActionPlan> = {
    name: context.name,
    type,
    stepKey: context.stepKey,
    status: 'queued',
    config: null,
    secrets: [],
    dueAt,
    priority: priorityOf(options),
    retryPolicy: options.retryPolicy ? normalisePolicy(options.retryPolicy) : presetFor(source, type),
    timeoutMs: durationMs(timeout, 'timeout'),
    delivery: options.delivery ?? DELIVERY_BY_TYPE.get(type) ?? 'at_least_once',
    cancelOnExit: options.cancelOnExit ?? false,
    tags: options.tags ?? [],
    metadata: options.metadata ?? {},
  }
  if (options.runner !== undefined) plan.runner = options.runner
  if (options.window !== undefined)
    plan.window = typeof options.window === 'string' ? options.window : parseWindow(options.window)
  if (options.expiresAfter !== undefined)
    plan.expiresAt = dueAt + durationMs(options.expiresAfter, 'expiresAfter')
  return plan
}

const dueAtOf = (options: RequestOptions, now: number): number =>
  options.dueAt === undefined ? now + durationMs(options.delay ?? 0, 'delay') : parseInstant(options.dueAt)

const priorityOf = ({ priority = DEFAULT_PRIORITY }: RequestOptions): number => {
  if (Number.isInteger(priority) && priority >= 0 && priority <= 100) return priority
  throw new PawlError('invalid_option', `priority ${priority} is not possible`, {
    path: 'priority',
    expected: 'a whole number from 0 to 100, higher first',
  })
}

const SKIPPED: ActionError = {
  type: 'condition_false',
  message: 'its condition did not hold',
  retryable: false,
}

const unrenderable = (failure: PawlError): ActionError => ({
  type: 'invalid_configuration',
  message: explain(failure),
  retryable: false,
  code: failure.code,
})
