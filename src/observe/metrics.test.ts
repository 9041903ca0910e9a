import { expect, it } from 'vitest'
import type { Ended } from '../engine/settlement.ts'
import { createMetrics } from './metrics.ts'

type Settled = Parameters<NonNullable<ReturnType<typeof createMetrics>['observer']['settled']>>

const settled = (attempt: number, type: string, status: Settled[1]['status']): Settled => [
  { action: { attempt: 0, plan: { type } }, attempt, startedAt: 1000, endedAt: 1500 } as unknown as Ended,
  { status, outcome: 'failed', reason: 'retry', lost: 0, reaps: 0 } as Settled[1],
]

const linesOf = async (...told: readonly Settled[]): Promise<readonly string[]> => {
  const metrics = createMetrics({ version: '1', maxSeries: 2 })
  for (const each of told) metrics.observer.settled!(...each)
  return (await metrics.text()).split('\n')
}

it('what ended without ever starting is no attempt', async () => {
  const lines = await linesOf(settled(0, 'email', 'cancelled'))
  expect(lines).toContain('pawl_actions_finished_total{action_type="email",status="cancelled"} 1')
  expect(lines.filter((line) => line.startsWith('pawl_attempts_total'))).toEqual([])
})

it('what is tried again has not ended, and its attempt has', async () => {
  const lines = await linesOf(settled(1, 'email', 'queued'))
  expect(lines.filter((line) => line.startsWith('pawl_actions_finished_total'))).toEqual([])
  expect(lines).toContain('pawl_attempt_duration_seconds_sum{action_type="email",outcome="failed"} 0.5')
})

it('types after the bound are counted together', async () => {
  const lines = await linesOf(...['a', 'b', 'c', 'd'].map((type) => settled(0, type, 'dead')))
  expect(lines).toContain('pawl_actions_finished_total{action_type="other",status="dead"} 2')
})

it('without a store to look at there are no gauges of it', async () => {
  const metrics = createMetrics({ version: '1', maxSeries: 2 })
  metrics.answered({ method: 'GET', route: '/v1/actions/{id}', status: 200, seconds: 0.2 })
  const lines = (await metrics.text()).split('\n')
  expect(lines.filter((line) => line.startsWith('pawl_actions{'))).toEqual([])
  expect(lines).toContain(
    'pawl_http_request_duration_seconds_count{method="GET",route="/v1/actions/{id}",status="200"} 1',
  )
})
