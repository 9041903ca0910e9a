// Owns what a person is told to do about an action name that fares badly: few sentences, each with its figures and with the
// next step. Of two that say the same the more telling one stays.

import type { ActionMetrics } from './health-metrics.ts'

export interface Recommendation {
  readonly code: string
  readonly severity: 'info' | 'warning' | 'critical'
  /** What is wrong, and what to do. */
  readonly text: string
}

/** Fewer say nothing: one failure of two is no half. */
const ENOUGH = 5
const LOW = 0.9
const ALARMING = 0.5
const MANY_RETRIES = 0.3
/** A type of error that takes this share of the attempts is worth a word of its own. */
const DOMINANT = 0.1
const SLOW_MS = 5000
const LONG_TAIL = 4

const REMEDIES: Readonly<Record<string, string>> = {
  rate_limit:
    'the other side limits how often it may be called: give the action a limit with a rate below theirs, and a longer baseDelay',
  timeout: 'attempts take longer than their timeout: raise the timeout, or ask for less in one action',
  authentication_failed: 'the credentials are refused: renew the secret, then retry the dead letters',
  authorization_failed:
    'the credentials are known and not allowed to do this: have the right granted, then retry the dead letters',
  invalid_configuration:
    'the config cannot be used: mend the definition, then replay the dead letters with the new config',
  malformed_request:
    'the other side refuses what it is sent: compare the config with its documentation, then replay with a mended one',
  not_found:
    'what is addressed does not exist: check the URL, the endpoint or the id that the template fills in',
  conflict:
    'the other side says that it was done or changed before: check whether the effect is there already',
  network_error: 'the other side cannot be reached: check its name, the route and the egress allow-list',
  service_unavailable:
    'the other side is failing: look at its status page, and give the retry policy more attempts with a longer maxDelay',
  destination_forbidden: 'the address is not allowed: add it to the egress allow-list if it is meant',
  secret_not_found: 'a secret is missing: set it, then retry the dead letters',
  outcome_unknown:
    'it is not known whether the effect happened: resolve the reviews by asking the other side',
}

const percent = (rate: number): string => `${Math.round(rate * 100)} %`

const idle = ({ totalExecutions, attempts }: ActionMetrics): readonly Recommendation[] =>
  totalExecutions + attempts > 0
    ? []
    : [
        {
          code: 'no_executions',
          severity: 'info',
          text: 'nothing of this name ran in this time: check its spelling, that its state is entered, and that a worker with its runner is at work',
        },
      ]

const failing = ({ totalExecutions, successRate, actionId }: ActionMetrics): readonly Recommendation[] => {
  if (totalExecutions < ENOUGH || successRate >= LOW) return []
  const failed = Math.round(totalExecutions * (1 - successRate))
  return [
    {
      code: 'low_success_rate',
      severity: successRate < ALARMING ? 'critical' : 'warning',
      text: `${failed} of ${totalExecutions} failed (${percent(successRate)} succeeded): look at the dead letters of ${actionId}, grouped by error`,
    },
  ]
}

const causes = ({ errorTypes, attempts, successRate }: ActionMetrics): readonly Recommendation[] =>
  Object.entries(errorTypes)
    .filter(([, count]) => attempts >= ENOUGH && count / attempts >= DOMINANT)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]) => ({
      code: `error_${type}`,
      severity: successRate < ALARMING ? ('critical' as const) : ('warning' as const),
      text: `${type} in ${count} of ${attempts} attempts: ${
        (Object.hasOwn(REMEDIES, type) ? REMEDIES[type] : undefined) ??
        'read the message of the newest one, and mend what it names'
      }`,
    }))

const retrying = (metrics: ActionMetrics): readonly Recommendation[] => {
  const { totalExecutions, retryRate, averageRetries, totalCost } = metrics
  if (totalExecutions < ENOUGH || retryRate < MANY_RETRIES) return []
  const cost = totalCost > 0 ? ', and each of them may cost' : ''
  return [
    {
      code: 'many_retries',
      severity: 'warning',
      text: `${percent(retryRate)} took more than one attempt (${averageRetries.toFixed(1)} more on average${cost}): mend the cause, retries only hide it`,
    },
  ]
}

const slow = ({ p95Latency, averageLatency, attempts }: ActionMetrics): readonly Recommendation[] =>
  attempts < ENOUGH || p95Latency < SLOW_MS || p95Latency < LONG_TAIL * averageLatency
    ? []
    : [
        {
          code: 'slow_tail',
          severity: 'info',
          text: `one attempt in twenty takes ${(p95Latency / 1000).toFixed(1)} s or more, on average it is ${(averageLatency / 1000).toFixed(1)} s: a shorter timeout with one more attempt may end sooner`,
        },
      ]

export const adviceFor = (metrics: ActionMetrics): readonly Recommendation[] => [
  ...idle(metrics),
  ...failing(metrics),
  ...causes(metrics),
  ...retrying(metrics),
  ...slow(metrics),
]
