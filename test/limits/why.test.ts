// `why` for everything that limits and providers can do to an action: each hold in words, until when, and what to do.

import { expect, it } from 'vitest'
import { type Pawl, type PawlOptions, retryable } from '../../src/index.ts'
import { MINUTE, NOW, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

interface Told {
  readonly code: string
  readonly text: RegExp
  readonly untilMs?: readonly [least: number, most: number]
}

/** Several of the same, of which the last one waits. */
interface Case {
  readonly limits?: NonNullable<PawlOptions['limits']>
  readonly options?: object
  readonly config?: object
  readonly count: number
  readonly act?: (pawl: Pawl) => Promise<unknown>
  readonly told: readonly Told[]
}

const BREAKER = { failures: 1, coolDown: '30s' }
const SECOND = 1000
const HALF_DAY = 15 * 60 * MINUTE

const CASES: Readonly<Record<string, Case>> = {
  'rate, its own': {
    options: { limit: { key: 'to/ada', rate: '1/m' } },
    count: 2,
    told: [
      {
        code: 'rate',
        text: /^the rate of “to\/ada” \(1\/m\) is used up; it goes when its turn comes, or raise the rate$/,
        untilMs: [MINUTE - 100, MINUTE + 100],
      },
    ],
  },
  'rate, of its type': {
    limits: { job: { rate: '6/h' } },
    count: 2,
    told: [
      { code: 'rate', text: /^the rate of “job” \(6\/h\) is used up/, untilMs: [9 * MINUTE, 11 * MINUTE] },
    ],
  },
  quota: {
    limits: { job: { quota: '1/day' } },
    count: 2,
    told: [
      {
        code: 'quota',
        text: /^the quota of “job” \(1 a day\) is used up; it goes in the next period, or raise the quota$/,
        untilMs: [HALF_DAY - 1, HALF_DAY + MINUTE],
      },
    ],
  },
  'breaker, of a provider': {
    limits: { job: { breaker: BREAKER } },
    config: { provider: 'p', isDown: true },
    options: { retryPolicy: { maxAttempts: 1 } },
    count: 2,
    told: [
      {
        code: 'breaker',
        text: /^“job\/p” failed too often: it is left alone, then tried with a probe; look at the provider$/,
        untilMs: [30 * SECOND - 100, 31 * SECOND + 100],
      },
    ],
  },
  'breaker, of a lane that is not offered': {
    limits: { job: { breaker: BREAKER } },
    config: { isDown: true },
    options: { retryPolicy: { maxAttempts: 1 } },
    count: 2,
    told: [
      { code: 'breaker', text: /^“job” failed too often/, untilMs: [30 * SECOND - 100, 30 * SECOND + 100] },
    ],
  },
  'Retry-After': {
    config: { url: 'https://api.example/x', after: '10m' },
    options: { retryPolicy: { maxAttempts: 1 } },
    count: 2,
    told: [
      {
        code: 'retry_after',
        text: /^“job\/api\.example” asked to be left alone for a while \(Retry-After\)$/,
        untilMs: [10 * MINUTE - 100, 10 * MINUTE + 1100],
      },
    ],
  },
  'a pause and a rate at once': {
    options: { limit: { key: 'k', rate: '1/m' } },
    count: 2,
    act: (pawl) => pawl.pause({ type: 'job' }, 'audit'),
    told: [
      { code: 'paused_type', text: /: audit; resume it$/ },
      { code: 'rate', text: /“k”/, untilMs: [MINUTE - 100, MINUTE + 100] },
    ],
  },
  'a bulkhead': {
    limits: { idle: { bulkhead: 3 } },
    count: 0,
    act: (pawl) => pawl.dispatch({ type: 'idle', config: {}, options: {}, literal: true }),
    told: [
      {
        code: 'ready',
        text: /^it is due and waits for a free slot; at most 3 of type “idle” run in one process$/,
      },
    ],
  },
}

onEachStore('why, of limits', (bed) => {
  const job = spy('job', ({ config }) => {
    const { isDown, after } = config as { readonly isDown?: boolean; readonly after?: string }
    if (isDown === true) throw retryable('service_unavailable', 'down')
    if (after !== undefined) throw retryable('rate_limit', 'busy', { after })
  })
  const idle = spy('idle')

  it.each(Object.entries(CASES))('%s', async (_, { limits, options = {}, config = {}, count, act, told }) => {
    const pawl = await bed.open({ runners: [job, idle], ...(limits && { limits }) })
    // A worker that is there and takes nothing: time is moved by hand.
    await pawl.work({ slots: 0 })
    let id = ''
    for (let n = 0; n < count; n++)
      id = (await pawl.dispatch(job({ ...config, n }), { ...options, delay: n })).id
    if (count > 0) await pawl.advance({ by: 5 })
    const done = (await act?.(pawl)) as { readonly id?: string } | undefined
    const { reasons, eta } = await pawl.why(done?.id ?? id)
    expect(reasons).toMatchObject(told.map(({ code, text }) => ({ code, text: expect.stringMatching(text) })))
    for (const [index, { untilMs }] of told.entries()) {
      const until = reasons[index]!.until
      if (untilMs === undefined) expect(until).toBeUndefined()
      else {
        expect(until! - NOW).toBeGreaterThanOrEqual(untilMs[0])
        expect(until! - NOW).toBeLessThanOrEqual(untilMs[1])
      }
    }
    if (told.length === 1 && told[0]!.untilMs !== undefined) expect(eta).toBe(reasons[0]!.until)
  })

  it('a place in line: how many run, how many wait before it', async () => {
    const started = Promise.withResolvers<void>()
    const door = Promise.withResolvers<void>()
    const slow = spy('slow', async () => {
      started.resolve()
      await door.promise
    })
    const pawl = await bed.open({ runners: [slow], clock: 'real' })
    const limit = { key: 'k', concurrency: 1 }
    const stop = await pawl.work()
    await pawl.dispatch(slow({}), { limit })
    await started.promise
    const held = async (id: string): Promise<boolean> =>
      (await pawl.actions.get(id))?.hold === 'concurrency:k'
    let last = ''
    for (let n = 0; n < 2; n++) {
      last = (await pawl.dispatch(slow({ n }), { limit })).id
      await expect.poll(() => held(last), { timeout: 30_000 }).toBe(true)
    }
    const { reasons } = await pawl.why(last)
    expect(reasons).toMatchObject([
      {
        code: 'concurrency',
        text: '“k” lets only 1 run at a time: 1 run and 1 wait before it; it is called when one of them ends',
        until: expect.any(Number),
      },
    ])
    door.resolve()
    await expect.poll(async () => (await pawl.counts()).actions.succeeded, { timeout: 30_000 }).toBe(3)
    await stop()
  })

  it('a closed window has its own words', async () => {
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch(job({}), {
      window: { timezone: 'UTC', weekdays: 'daily', from: '10:00', to: '11:00' },
    })
    await settle(pawl)
    expect((await pawl.why(id)).reasons[0]).toMatchObject({ code: 'window' })
  })
})
