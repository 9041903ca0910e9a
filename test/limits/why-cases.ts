// The table of `why` for what limits and providers do to an action, and how each case is brought about.

import { type Pawl, type PawlOptions, retryable } from '../../src/index.ts'
import { MINUTE } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'

interface Told {
  readonly code: string
  readonly text: RegExp
  readonly untilMs?: readonly [least: number, most: number]
}

/** Several of the same, of which the last one waits. */
export interface LimitCase {
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

export const LIMIT_CASES: Readonly<Record<string, LimitCase>> = {
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

export const job = spy('job', ({ config }) => {
  const { isDown, after } = config as { readonly isDown?: boolean; readonly after?: string }
  if (isDown === true) throw retryable('service_unavailable', 'down')
  if (after !== undefined) throw retryable('rate_limit', 'busy', { after })
})
export const idle = spy('idle')

/** Brings a case about and answers the id of the one that waits. */
export const bringAbout = async (
  pawl: Pawl,
  { options = {}, config = {}, count, act }: LimitCase,
): Promise<string> => {
  // A worker that is there and takes nothing: time is moved by hand.
  await pawl.work({ slots: 0 })
  let id = ''
  for (let n = 0; n < count; n++)
    id = (await pawl.dispatch(job({ ...config, n }), { ...options, delay: n })).id
  if (count > 0) await pawl.advance({ by: 5 })
  const done = (await act?.(pawl)) as { readonly id?: string } | undefined
  return done?.id ?? id
}
