import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HealthRow, Measured } from '../store/health.ts'
import { NOTHING } from './health.ts'
import { adviceFor } from './health-advice.ts'
import { type ActionMetrics, classOf, merge, metricsByName, metricsOf } from './health-metrics.ts'

const of = (over: Partial<Measured>): Measured => ({ ...NOTHING, ...over })

/** What was measured of attempts that took so long. */
const taking = (times: readonly number[]): Measured =>
  times.map((ms) => of({ attempts: 1, durationMs: ms, latency: { [classOf(ms)]: 1 } })).reduce(merge, NOTHING)

it('F-102: of nothing every rate is 0', () => {
  const { errorTypes, actionId, actionType, ...figures } = metricsOf('a', 'email', NOTHING)
  expect(new Set(Object.values(figures))).toEqual(new Set([0]))
  expect([errorTypes, actionId, actionType]).toEqual([{}, 'a', 'email'])
})

it('p95 is at most a fifth above the real one and never below it', () => {
  const times = fc.array(fc.integer({ min: 0, max: 4_000_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(times, (given) => {
      const { p95Latency, averageLatency } = metricsOf('a', 't', taking(given))
      const sorted = given.toSorted((a, b) => a - b)
      const real = sorted[Math.ceil(sorted.length * 0.95) - 1]!
      expect(p95Latency).toBeGreaterThanOrEqual(Math.floor(real))
      expect(p95Latency).toBeLessThanOrEqual(real * 1.2 + 1)
      expect(averageLatency).toBeCloseTo(given.reduce((sum, ms) => sum + ms, 0) / given.length, 6)
    }),
  )
})

it('it makes no difference in how many rows it was measured', () => {
  const part = fc
    .record({ ended: fc.nat(9), succeeded: fc.nat(9), attempts: fc.nat(9), durationMs: fc.nat(999) })
    .map((sums) => of({ ...sums, latency: { '3': sums.attempts }, errors: { constructor: 1, timeout: 2 } }))
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
      expect(merge(a, NOTHING)).toEqual(a)
      expect(merge(a, b).errors).toEqual({ constructor: 2, timeout: 4 })
    }),
  )
})

it('names are listed by executions, then by name, each type apart', () => {
  const row = (name: string, type: string, ended: number): HealthRow => ({
    namespace: 'n',
    tenant: 't',
    name,
    type,
    bucket: 0,
    writer: 'w',
    measured: of({ ended }),
  })
  const rows = [
    row('b', 'email', 1),
    row('a', 'email', 1),
    row('c', 'sms', 1),
    row('c', 'email', 2),
    row('c', 'sms', 4),
  ]
  expect(
    metricsByName(rows).map(({ actionId, actionType, totalExecutions }) => [
      actionId,
      actionType,
      totalExecutions,
    ]),
  ).toEqual([
    ['c', 'sms', 5],
    ['c', 'email', 2],
    ['a', 'email', 1],
    ['b', 'email', 1],
  ])
})

const metrics = (over: Partial<ActionMetrics>): ActionMetrics => ({
  ...metricsOf('send_notice', 'email', of({ ended: 100, succeeded: 100, attempts: 100, durationMs: 1000 })),
  ...over,
})

it.each([
  ['all is well', {}, []],
  ['too few to say', { totalExecutions: 4, successRate: 0, attempts: 4, errorTypes: { timeout: 4 } }, []],
  ['some fail', { successRate: 0.8 }, ['low_success_rate warning']],
  ['most fail', { successRate: 0.4 }, ['low_success_rate critical']],
  ['one kind of error', { errorTypes: { timeout: 10, network_error: 9 } }, ['error_timeout warning']],
  [
    'two kinds',
    { errorTypes: { rate_limit: 10, timeout: 30 } },
    ['error_timeout warning', 'error_rate_limit warning'],
  ],
  ['many retries', { retryRate: 0.31, averageRetries: 0.5 }, ['many_retries warning']],
  ['a slow tail', { p95Latency: 6000, averageLatency: 1000 }, ['slow_tail info']],
  ['slow as a whole', { p95Latency: 6000, averageLatency: 5000 }, []],
  ['nothing at all', { totalExecutions: 0, attempts: 0, successRate: 0 }, ['no_executions info']],
])('F-102: a person is told what to do when %s', (_, over, told) => {
  expect(adviceFor(metrics(over)).map(({ code, severity }) => `${code} ${severity}`)).toEqual(told)
})

it.each(['rate_limit', 'authentication_failed', 'constructor', 'something_of_their_own'])(
  'every kind of error has a next step: %s',
  (type) => {
    const [said] = adviceFor(metrics({ errorTypes: { [type]: 50 } }))
    expect(said!.text).toMatch(new RegExp(`^${type} in 50 of 100 attempts: [a-z].{30,}`))
  },
)
