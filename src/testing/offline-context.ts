// Owns what a runner sees when no engine is there: one attempt's context with a key of its own and no network.

import type { ActionPlan } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import { idempotencyKey } from '../core/keys.ts'
import type { RunnerContext } from '../runners/runner-context.ts'

const SPACE = { storeId: 'test', namespace: 'default', tenant: 'default' }

const silent = (): void => undefined

export const offlineContext = (
  { stepKey, timeoutMs }: Pick<ActionPlan, 'stepKey' | 'timeoutMs'>,
  of: { readonly attempt: number; readonly at: number; readonly secretOf: (name: string) => string },
): RunnerContext => ({
  fetch: (url) =>
    Promise.reject(
      new PawlError('destination_forbidden', `there is no network here: ${url.slice(0, 80)}`, {
        expected: 'a mock in the place of the runner',
      }),
    ),
  signal: AbortSignal.timeout(timeoutMs),
  attempt: of.attempt,
  stepKey,
  idempotencyKey: idempotencyKey(SPACE, stepKey),
  secret: async (name) => of.secretOf(name),
  log: { debug: silent, info: silent, warn: silent, error: silent },
  now: () => of.at,
  timestamp: of.at,
})
