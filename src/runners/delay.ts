// Owns the delay runner: it has nothing to do. Its waiting is the due time of its action, kept in the store, so that it
// outlives every process; when it runs, the wait is over. Exactly once: its only effect is its result event.

import { z } from 'zod'
import { runner } from './runner.ts'
import { strictConfig } from './strict-config.ts'

const HOW = 'the wait is an option of the action: delay or dueAt, beside config'

export const createDelay = () =>
  runner({
    type: 'delay',
    // Nothing is ever sent, so the sandbox is the same.
    config: strictConfig(
      { provider: z.literal('sandbox', 'expected sandbox').optional() },
      { delay: HOW, dueAt: HOW, duration: HOW, for: HOW, ms: HOW, until: HOW, delayUntil: HOW, seconds: HOW },
    ),
    result: z.object({ elapsedAt: z.iso.datetime() }),
    event: 'delay_elapsed',
    delivery: 'at_least_once',
    permissions: [],
    secrets: [],
    // J-030: nothing in it can fail.
    defaults: { retryPolicy: { maxAttempts: 1, backoffStrategy: 'fixed', baseDelay: 0 } },
    execute: ({ ctx }) => ({ elapsedAt: new Date(ctx.now()).toISOString() }),
  })
