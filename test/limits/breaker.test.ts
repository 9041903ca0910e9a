import { expect, it } from 'vitest'
import { permanent, retryable } from '../../src/index.ts'
import { onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

const RETRIES = { maxAttempts: 50, backoffStrategy: 'fixed', baseDelay: 1000 } as const
const BREAKER = { failures: 3, window: '1m', coolDown: '30s', probes: 1 }

onEachStore('a breaker', (bed) => {
  const ailing = (type: string) => {
    const state = { isDown: true }
    const job = spy(type, () => {
      if (state.isDown) throw retryable('service_unavailable', 'down')
    })
    return { job, state }
  }

  it('opens, lets one probe through at a time, closes, and others are not affected', async () => {
    const { job, state } = ailing('job')
    const other = spy('other')
    const pawl = await bed.open({ runners: [job, other], limits: { job: { breaker: BREAKER } } })
    for (let n = 0; n < 6; n++) await pawl.dispatch(job({ n }), { delay: n, retryPolicy: RETRIES })
    await pawl.advance({ by: 500 })
    const tried = job.calls.length
    expect(tried).toBeGreaterThanOrEqual(3)
    expect(bed.lines.find(({ message }) => message.includes('left alone'))).toMatchObject({
      level: 'warn',
      fields: { breaker: 'breaker:job', until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    })
    await pawl.advance({ by: '25s' })
    expect(job.calls).toHaveLength(tried)
    for (let n = 0; n < 10; n++) await pawl.dispatch(other({ n }))
    await settle(pawl)
    expect(other.calls).toHaveLength(10)
    await pawl.advance({ by: '10s' })
    expect(job.calls).toHaveLength(tried + 1)
    await pawl.advance({ by: '50s' })
    expect(job.calls).toHaveLength(tried + 1)
    state.isDown = false
    await pawl.advance({ by: '2m' })
    expect((await pawl.counts()).actions.succeeded).toBe(16)
    expect(bed.lines.some(({ message }) => message.includes('well again'))).toBe(true)
  })

  it('is of one provider of one tenant: others of the same type go on', async () => {
    const job = spy('job', ({ config }) => {
      if ((config as { provider: string }).provider === 'a') throw retryable('network_error', 'away')
    })
    const pawl = await bed.open({ runners: [job], limits: { '*': { breaker: BREAKER } } })
    const ids: string[] = []
    for (let n = 0; n < 5; n++)
      ids.push((await pawl.dispatch(job({ provider: 'a', n }), { delay: n, retryPolicy: RETRIES })).id)
    await pawl.advance({ by: 1500 })
    const held = await Promise.all(ids.map(async (id) => (await pawl.actions.get(id))?.hold))
    expect(held).toContain('breaker:job/a')
    const before = job.calls.length
    await pawl.dispatch(job({ provider: 'b' }))
    await pawl.tenant('umbrella').dispatch(job({ provider: 'a' }), { retryPolicy: RETRIES })
    await settle(pawl)
    expect(job.calls).toHaveLength(before + 2)
  })

  it('a provider that refuses for a reason is well', async () => {
    const job = spy('job', () => {
      throw permanent('malformed_request', 'no')
    })
    const pawl = await bed.open({ runners: [job], limits: { job: { breaker: BREAKER } } })
    for (let n = 0; n < 9; n++) await pawl.dispatch(job({ n }))
    await settle(pawl)
    expect(job.calls).toHaveLength(9)
  })

  it('without one nothing is held back', async () => {
    const { job } = ailing('job')
    const pawl = await bed.open({ runners: [job] })
    for (let n = 0; n < 30; n++) await pawl.dispatch(job({ n }), { retryPolicy: { maxAttempts: 1 } })
    await settle(pawl)
    expect(job.calls).toHaveLength(30)
  })
})

onEachStore('patience', (bed) => {
  it('F43: Retry-After holds all that speak to the provider, and they come back spread', async () => {
    let isBusy = true
    const job = spy('job', () => {
      if (isBusy) throw retryable('rate_limit', 'slow down', { after: '1m' })
    })
    const pawl = await bed.open({ runners: [job] })
    const url = 'https://api.example/send'
    const first = await pawl.dispatch(job({ url }), { retryPolicy: RETRIES })
    await settle(pawl)
    isBusy = false
    const ids: string[] = []
    for (let n = 0; n < 40; n++) ids.push((await pawl.dispatch(job({ url, n }))).id)
    await pawl.dispatch(job({ url: 'https://other.example/send' }))
    await settle(pawl)
    expect(job.calls).toHaveLength(2)
    expect((await pawl.actions.get(ids[0]!))?.hold).toBe('retry_after:job/api.example')
    await pawl.advance({ by: 59_990 })
    expect(job.calls).toHaveLength(2)
    await pawl.advance({ by: '2m' })
    expect(job.calls).toHaveLength(43)
    expect((await pawl.actions.get(first.id))?.status).toBe('succeeded')
    const back = job.calls.slice(2).map(({ at }) => at)
    expect(Math.max(...back) - Math.min(...back)).toBeGreaterThan(300)
  })
})
