// Owns the other side: what arrived at those who are to be reached, and what that proves. It has no mercy and no
// memory of our rows: a repetition is told by its key and its bytes alone.

import { canonical, type Json } from '../../src/core/json.ts'
import type { Judge } from './judge.ts'

export interface Effect {
  readonly tenant: string
  readonly stepKey: string
  readonly key: string
  readonly config: Json
  readonly delivery: string
}

export interface Receiver {
  readonly take: (effect: Effect) => void
  readonly has: (tenant: string, stepKey: string) => boolean
  readonly hasKey: (key: string) => boolean
  /** A person said that it is to be tried again: an effect more may come of it. */
  readonly allow: (tenant: string, stepKey: string) => void
}

export const createReceiver = (judge: Judge): Receiver => {
  const first = new Map<string, { readonly key: string; readonly bytes: string; count: number }>()
  const keys = new Map<string, string>()
  const allowed = new Map<string, number>()
  const nameOf = (tenant: string, stepKey: string): string => `${tenant} ${stepKey}`
  return {
    take: ({ tenant, stepKey, key, config, delivery }) => {
      const step = nameOf(tenant, stepKey)
      const bytes = canonical(config)
      const before = first.get(step) ?? { key, bytes, count: 0 }
      before.count += 1
      first.set(step, before)
      judge.hold(before.key === key, 'I3', () => `${step} arrived as ${before.key} and as ${key}`)
      judge.hold(before.bytes === bytes, 'I3', () => `${step} arrived as ${before.bytes} and as ${bytes}`)
      const owner = keys.get(key) ?? step
      keys.set(key, owner)
      judge.hold(owner === step, 'I3', () => `${key} is the key of ${owner} and of ${step}`)
      const most = 1 + (allowed.get(step) ?? 0)
      judge.hold(
        delivery !== 'at_most_once' || before.count <= most,
        'I10',
        () => `${step}: ${before.count} effects`,
      )
    },
    has: (tenant, stepKey) => first.has(nameOf(tenant, stepKey)),
    hasKey: (key) => keys.has(key),
    allow: (tenant, stepKey) => {
      const step = nameOf(tenant, stepKey)
      allowed.set(step, (allowed.get(step) ?? 0) + 1)
    },
  }
}
