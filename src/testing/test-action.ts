// Owns `testAction` (F-110): one action of a definition, rendered with a context, checked by its runner and performed
// against a mock through all its attempts, in no time. Nothing is sent and nothing is stored.

import type { ActionPlan } from '../core/action.ts'
import { permanent } from '../core/action-error.ts'
import type { ActionData } from '../core/definition.ts'
import { startedEvent } from '../core/event.ts'
import { blankExecution } from '../core/execution.ts'
import { type Json, type JsonObject, own } from '../core/json.ts'
import { type Settlement, settle } from '../core/settle.ts'
import { fillSecrets } from '../core/template/secrets.ts'
import { parseInstant } from '../core/time/instant.ts'
import { decideMachine } from '../core/triggers/machine.ts'
import type { Problem } from '../definitions/problem.ts'
import { type ActionResult, actionResult } from '../runners/action-result.ts'
import { perform } from '../runners/perform.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { MESSAGE, machineFor, readAction } from './action-machine.ts'
import type { Behaviour, Double, Interaction } from './double.ts'
import { mockRunner, watched } from './mock.ts'
import { offlineContext } from './offline-context.ts'
import { type Recommendation, recommend } from './recommend.ts'

/** What the action is rendered with (F-040). */
export interface TestContext {
  readonly executionId?: string
  readonly variables?: JsonObject
  readonly message?: { readonly type?: string; readonly payload?: Json }
  /** By name. One that is not given reads `secret:<name>`. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Default 2026-01-01T00:00:00Z. */
  readonly now?: string | number
}

export interface MockConfig {
  /** By action type: only that of the action is used. Default: it succeeds. */
  readonly mocks?: Readonly<Record<string, Behaviour>>
  /** Their schemas check the config and the mock's results; their code is not run. */
  readonly runners?: readonly AnyRunner[]
}

export interface ActionTestResult {
  readonly success: boolean
  /** `invalid`: it could not even be made. */
  readonly status: Settlement['status'] | 'invalid'
  /** Of the last attempt. */
  readonly result: ActionResult
  readonly validation: {
    readonly isValid: boolean
    readonly errors: readonly { readonly path: string; readonly message: string }[]
  }
  readonly mockInteractions: readonly Interaction[]
  readonly recommendations: readonly Recommendation[]
}

const NOW = '2026-01-01T00:00:00Z'

/** The plan that entering the action's state makes, in the words of the core. */
const planOf = (action: ActionData, context: TestContext, now: number): ActionPlan => {
  const { executionId = 'exe_test', variables = {}, message = {} } = context
  const { type = MESSAGE, payload = {} } = message
  const { machine } = machineFor(action, type)
  const decide = decideMachine(machine)
  const blank = blankExecution({
    id: executionId,
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: machine.id,
    definitionHash: machine.hash,
  })
  const started = decide(blank, startedEvent(executionId, variables, now), now)
  const event = { id: 'evt_test', type, payload, at: now }
  return decide(started.execution, event, now).actions[0]!
}

type Ran = Pick<ActionTestResult, 'status' | 'result'> & { readonly settlement?: Settlement }

/** It never came to an attempt. */
const notRun = (actionId: string, runner: string, message: string, now: number): ActionResult => {
  const { failure } = permanent('invalid_configuration', message)
  return actionResult(
    { outcome: { kind: 'failed', failure }, startedAt: now, endedAt: now, metadata: {} },
    { actionId, attempt: 0, runner },
  )
}

/** The definition cannot be read: everything that is wrong with it. */
const unreadable = (definition: unknown, problems: readonly Problem[], now: number): ActionTestResult => {
  const errors = problems.map(({ path, message, expected }) => ({
    path,
    message: expected === undefined ? message : `${message}; expected ${expected}`,
  }))
  const [actionId, type] = ['actionId', 'type'].map((key) => String(own(definition, key) ?? '').slice(0, 80))
  return {
    success: false,
    status: 'invalid',
    result: notRun(actionId!, type!, errors[0]?.message ?? 'this is no action', now),
    validation: { isValid: false, errors },
    mockInteractions: [],
    recommendations: [],
  }
}

/** Attempt after attempt until the action has ended, each at the instant its policy says. */
const runToTheEnd = async (plan: ActionPlan, mock: Double, secretOf: SecretOf, now: number): Promise<Ran> => {
  const config = fillSecrets({ value: plan.config, secrets: plan.secrets }, secretOf)
  const { delivery, retryPolicy, stepKey, expiresAt } = plan
  let at = now
  for (let attempt = 1; ; attempt++) {
    const ctx = offlineContext(plan, { attempt, at, secretOf })
    const performance = await perform(mock, { config, delivery, ctx })
    const counts = { attempt, lost: 0, reaps: 0, cancelRequested: false }
    const settling = { status: 'running' as const, stepKey, delivery, retryPolicy, ...counts }
    const settlement = settle(
      { ...settling, ...(expiresAt !== undefined && { expiresAt }) },
      performance.outcome,
      at,
    )!
    if (settlement.status !== 'queued') {
      const result = actionResult(performance, { actionId: plan.name, attempt, runner: plan.type })
      return { status: settlement.status, result, settlement }
    }
    at = settlement.dueAt!
  }
}

type SecretOf = (name: string) => string

const mockFor = (type: string, { mocks = {}, runners = [] }: MockConfig): Double => {
  const runner = runners.find((each) => each.type === type)
  const mock = runner ? watched(runner) : mockRunner(type)
  mock.behave(mocks[type] ?? {})
  return mock
}

/**
 * @example
 * const { success, mockInteractions, recommendations } = await testAction(
 *   sendTerminationNotice,
 *   { variables: { landlordEmail: 'ada@example.com' }, message: { payload: { terminationDate: '2026-12-31' } } },
 *   { mocks: { email: { fail: { times: 1, error: 'rate_limit' } } } },
 * )
 */
export const testAction = async (
  definition: unknown,
  context: TestContext = {},
  mockConfig: MockConfig = {},
): Promise<ActionTestResult> => {
  const now = parseInstant(context.now ?? NOW)
  const { action, problems } = readAction(definition)
  if (action === undefined) return unreadable(definition, problems, now)
  const mock = mockFor(action.type, mockConfig)
  const secretOf: SecretOf = (name) => context.secrets?.[name] ?? `secret:${name}`
  const plan = planOf(action, context, now)
  const { errors } =
    plan.status === 'dead'
      ? { errors: [{ path: 'config', message: plan.error!.message }] }
      : mock.validateConfig(fillSecrets({ value: plan.config, secrets: plan.secrets }, secretOf))
  const ran: Ran =
    plan.status === 'queued'
      ? await runToTheEnd(plan, mock, secretOf, now)
      : {
          status: plan.status === 'dead' ? 'invalid' : plan.status,
          result: notRun(plan.name, plan.type, plan.error!.message, now),
        }
  const { status, result, settlement } = ran
  const hasRunner = mockConfig.runners?.some(({ type }) => type === action.type) ?? false
  return {
    success: status === 'succeeded',
    status,
    result,
    validation: { isValid: errors.length === 0, errors },
    mockInteractions: mock.interactions,
    recommendations: recommend({
      action,
      plan,
      hasRunner,
      ...(settlement && { settlement, attempts: result.attempt }),
    }),
  }
}
