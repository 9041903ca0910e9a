// Owns how a rehearsed change of variables is shown: the execution as it would be, and the difference of its plan.

import type { JsonObject } from '../core/json.ts'
import { canonical } from '../core/json.ts'
import type { Tenancy } from '../store/store.ts'
import type { Parts } from './parts.ts'
import { type ExecutionView, executionView } from './views.ts'

export interface PlanDifference {
  /** The variables that would change, by name, each as it would be. */
  readonly variables: JsonObject
  readonly actions: readonly { readonly name: string; readonly type: string; readonly dueAt: string }[]
  readonly timers: readonly { readonly key: string; readonly dueAt: string }[]
  readonly cancelled: { readonly actions: readonly string[]; readonly timers: readonly string[] }
}

export interface PatchPreview {
  readonly execution: ExecutionView
  readonly plan: PlanDifference
}

const instant = (at: number): string => new Date(at).toISOString()

const changed = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => {
      const was = before[name]
      return was === undefined || canonical(was) !== canonical(value)
    }),
  )

export const preview =
  ({ engine, opened, clock }: Parts, of: Tenancy) =>
  async (id: string, variables: JsonObject): Promise<PatchPreview> => {
    const { before, after, actions, timers, cancel } = await engine.rehearse(of, id, variables)
    const stored = await opened.reader.execution(of, id)
    const now = clock.now()
    return {
      execution: executionView({
        ...(stored ?? { revision: 0, chain: { number: 0, hash: '' }, createdAt: now, updatedAt: now }),
        execution: after,
      }),
      plan: {
        variables: changed(before.variables, after.variables),
        actions: actions.map(({ plan }) => ({
          name: plan.name,
          type: plan.type,
          dueAt: instant(plan.dueAt),
        })),
        timers: timers.map(({ key, dueAt }) => ({ key, dueAt: instant(dueAt) })),
        cancelled: cancel,
      },
    }
  }
