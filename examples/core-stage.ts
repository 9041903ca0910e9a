// Owns what the examples share: how a step is told, and a provider that answers from a script instead of the network.
// Colours only on a terminal; everything else about the output is the same everywhere.

import type { ActionPlan } from '../src/core/action.ts'
import type { Decision } from '../src/core/decision.ts'
import type { Event } from '../src/core/event.ts'
import { idempotencyKey } from '../src/core/keys.ts'
import { waits } from '../src/core/retry.ts'
import type { Settlement } from '../src/core/settle.ts'
import { printDuration } from '../src/core/time/duration-words.ts'
import type { FetchResponse, RunnerContext } from '../src/index.ts'

const hasColours = process.stdout.isTTY && process.stdout.hasColors()
const colour =
  (code: number) =>
  (text: string): string =>
    hasColours ? `\u001b[${code}m${text}\u001b[0m` : text
const bold = colour(1)
const dim = colour(2)
const MARKS = {
  decided: colour(36)('→'),
  done: colour(32)('✓'),
  again: colour(33)('↻'),
  failed: colour(31)('✕'),
  nothing: dim('–'),
}

type Line = readonly [mark: keyof typeof MARKS, what: string, detail: string]

export const say = (text = ''): void => console.log(text)

const instant = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('.000Z', 'Z')
const bytes = (value: unknown): string => JSON.stringify(value)

/** A step of the story: when, what came in, and below it what followed from it. */
const tell = (at: number, cause: string, lines: readonly Line[]): void => {
  say(`${dim(instant(at))}  ${bold(cause)}`)
  for (const [mark, what, detail] of lines) say(`${' '.repeat(22)}${MARKS[mark]} ${what.padEnd(10)}${detail}`)
  say()
}

export const tellDecision = (cause: string, event: Event, decision: Decision): void => {
  const { applied, reason, execution, actions, timers, cancel, history } = decision
  const ended = execution.status === 'active' ? '' : `: ${execution.status}`
  const cancelled = cancel.timers.filter((key) => key !== event.timer)
  const changes: readonly Line[] = [
    ['decided', 'state', `${history.data['from'] ?? 'nothing'} → ${execution.state}${ended}`],
    ...actions.flatMap(linesOf),
    ...cancelled.map((key): Line => ['nothing', 'timer', `${key} is cancelled`]),
    ...timers.map(({ key, dueAt }): Line => ['decided', 'timer', `${key}, due ${instant(dueAt)}`]),
  ]
  tell(event.at, cause, applied ? changes : [['nothing', 'ignored', reason!]])
}

const linesOf = (plan: ActionPlan): readonly Line[] => {
  const pauses = waits(plan.retryPolicy, plan.stepKey).map((ms) => printDuration(ms))
  return [
    ['decided', 'action', `${plan.name}, ${plan.status}, due ${instant(plan.dueAt)}`],
    ['decided', 'config', bytes(plan.config)],
    ['decided', 'step', plan.stepKey],
    ['decided', 'key', keyOf(plan)],
    ['decided', 'retries', `should it fail: after ${pauses.join(', then after ')}, then it is a dead letter`],
  ]
}

export const tellAttempt = (cause: string, now: number, plan: ActionPlan, settlement: Settlement): void => {
  const { status, error, dueAt, result, event } = settlement
  tell(now, cause, [
    ['decided', 'key', keyOf(plan)],
    ...(error ? [['failed', 'error', `${error.type}: ${error.message}`] as const] : []),
    ...(dueAt === undefined
      ? []
      : [['again', status, `once more in ${printDuration(dueAt - now)}, due ${instant(dueAt)}`] as const]),
    ...(event ? [['done', status, `${bytes(result)}, told as ${event.type}`] as const] : []),
  ])
}

const keyOf = ({ stepKey }: ActionPlan): string =>
  idempotencyKey({ storeId: 'examples', namespace: 'default', tenant: 'default' }, stepKey)

export interface Answer {
  readonly status: number
  readonly body: string
}

/** One attempt's view of the world, with a network that gives this answer to every request. */
export const contextOf = (plan: ActionPlan, attempt: number, now: number, answer: Answer): RunnerContext => ({
  fetch: async () => responseOf(answer),
  signal: new AbortController().signal,
  attempt,
  stepKey: plan.stepKey,
  idempotencyKey: keyOf(plan),
  secret: () => Promise.reject(new Error('the examples have no secrets')),
  log: { debug: say, info: say, warn: say, error: say },
  now: () => now,
  timestamp: now,
})

const responseOf = ({ status, body }: Answer): FetchResponse => ({
  status,
  ok: status >= 200 && status < 300,
  headers: new Map(),
  text: async () => body,
  json: async () => JSON.parse(body),
})
