import { expect, it } from 'vitest'
import { z } from 'zod'
import { permanent, retryable, runner } from '../../src/index.ts'
import { HOUR, NOW, onEachShared, onEachStore } from '../engine/bed.ts'

/** Fails as its config says, then succeeds. */
const moody = runner({
  type: 'moody',
  config: z.object({
    fails: z.number().default(0),
    as: z.string().default('rate_limit'),
    dies: z.boolean().default(false),
  }),
  result: z.object({ ok: z.boolean() }),
  defaults: { retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed', baseDelay: '1s' } },
  cost: () => 0.25,
  execute: ({ config, ctx }) => {
    if (config.dies) throw permanent('authentication_failed', 'no')
    if (ctx.attempt <= config.fails) throw retryable(config.as, 'not yet')
    return { ok: true }
  },
})

onEachStore('F-100…F-102: health per action name', (bed) => {
  const ran = async () => {
    const pawl = await bed.open({ runners: [moody] })
    for (let count = 0; count < 6; count++) await pawl.dispatch(moody({}, { name: 'greet' }))
    await pawl.dispatch(moody({ fails: 2 }, { name: 'greet' }))
    await pawl.dispatch(moody({ fails: 9 }, { name: 'greet' }))
    for (let count = 0; count < 2; count++) await pawl.dispatch(moody({ dies: true }, { name: 'greet' }))
    await pawl.dispatch(moody({}, { name: 'other' }))
    const { id } = await pawl.dispatch(moody({}, { name: 'greet', delay: '1d' }))
    await pawl.actions.cancel(id)
    await pawl.advance({ by: '10m' })
    return pawl
  }

  it('sums what ended, what it took and what it cost', async () => {
    const pawl = await ran()
    const health = await pawl.health('greet')
    expect(health).toMatchObject({
      actionId: 'greet',
      actionType: 'moody',
      timeWindow: '24h',
      totalExecutions: 10,
      successRate: 0.7,
      attempts: 6 + 3 + 3 + 2,
      retryRate: 0.2,
      averageRetries: 0.4,
      totalCost: 7 * 0.25,
      costPerExecution: 0.175,
      errorTypes: { rate_limit: 5, authentication_failed: 2 },
      failureReasons: { rate_limit: 5, authentication_failed: 2 },
      from: new Date(NOW + 600_000 - 24 * HOUR).toISOString(),
      to: new Date(NOW + 600_000).toISOString(),
    })
    expect(health.recommendations.map(({ code }) => code)).toEqual([
      'low_success_rate',
      'error_rate_limit',
      'error_authentication_failed',
    ])
    expect(health.recommendations[0]!.text).toContain('3 of 10 failed (70 % succeeded)')
  })

  it('of a name nobody used there are zeros, no NaN, and a word about it', async () => {
    const pawl = await bed.open()
    const { recommendations, ...health } = await pawl.health('nobody')
    expect(health).toMatchObject({ totalExecutions: 0, successRate: 0, averageLatency: 0, p95Latency: 0 })
    expect(JSON.stringify(health)).not.toMatch(/null|NaN/)
    expect(recommendations.map(({ code }) => code)).toEqual(['no_executions'])
  })

  it('a window begins where it says, by the hour', async () => {
    const pawl = await ran()
    await pawl.advance({ by: '5h' })
    expect((await pawl.health('greet', { window: '1h' })).totalExecutions).toBe(0)
    expect((await pawl.health('greet', { window: '6h' })).totalExecutions).toBe(10)
    for (const window of ['0s', '91d', 'soon'])
      await expect(pawl.health('greet', { window })).rejects.toMatchObject({ code: /invalid/ as never })
  })

  it('stats tell of every name, most executions first, and of nobody else’s', async () => {
    const pawl = await ran()
    const stats = await pawl.stats()
    expect(stats.actions.map(({ actionId, totalExecutions }) => [actionId, totalExecutions])).toEqual([
      ['greet', 10],
      ['other', 1],
    ])
    expect(stats.totals).toMatchObject({ totalExecutions: 11, totalCost: 2 })
    expect(stats.counts.actions).toMatchObject({ succeeded: 8, dead: 3, cancelled: 1 })
    expect(stats.truncated).toBe(false)
    expect((await pawl.tenant('else').stats()).actions).toEqual([])
  })
})

onEachShared('health of several processes', (bed) => {
  it('adds up, also after one of them is gone', async () => {
    const first = await bed.open({ runners: [moody] })
    for (let count = 0; count < 3; count++) await first.dispatch(moody({}, { name: 'greet' }))
    await first.advance({ by: '1s' })
    await first.close()
    const second = await bed.open({ runners: [moody] })
    await second.dispatch(moody({ dies: true }, { name: 'greet' }))
    await second.advance({ by: '1s' })
    expect(await second.health('greet')).toMatchObject({ totalExecutions: 4, successRate: 0.75 })
  })
})
