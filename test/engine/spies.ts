// Runners for tests: they remember how they were called and do what the case says.

import { vi } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../src/core/json.ts'
import type { ActionView, Pawl } from '../../src/index.ts'
import { type RunnerContext, runner } from '../../src/index.ts'
import type { RunnerDefinition } from '../../src/runners/runner.ts'

/** One call of `execute`. */
export interface Call {
  readonly config: Json
  readonly attempt: number
  /** The engine's now. */
  readonly at: number
  readonly key: string
  readonly ctx: RunnerContext
}

interface More<Event> extends Partial<Pick<RunnerDefinition, 'defaults' | 'delivery' | 'reconcile'>> {
  readonly event?: Event
}

/** Does what `act` says; what that returns is the result. */
export const spy = <const Type extends string, const Event extends string = 'action.succeeded'>(
  type: Type,
  act: (call: Call) => unknown = () => null,
  more: More<Event> = {},
) => {
  const calls: Call[] = []
  const made = runner({
    type,
    config: z.json(),
    ...more,
    execute: ({ config, ctx }) => {
      // As one that hands it on to another has it.
      const { attempt, idempotencyKey: key, now } = { ...ctx }
      const call = { config, attempt, at: now(), key, ctx }
      calls.push(call)
      return act(call) as Json
    },
  })
  return Object.assign(made, { calls })
}

/** Does all that is due now, and no more. */
export const settle = (pawl: Pawl): Promise<void> => pawl.advance({ by: 0 })

export const only = async (pawl: Pawl, filter: { readonly type?: string } = {}): Promise<ActionView> => {
  const { data } = await pawl.actions.list(filter)
  if (data.length !== 1) throw new Error(`there are ${data.length} actions`)
  return (await pawl.actions.get(data[0]!.id))!
}

export const historyOf = async (pawl: Pawl, id: string): Promise<readonly string[]> =>
  (await pawl.executions.history(id, { limit: 250 })).data.map(({ type }) => type)

/** A door that opens when the case says so: for attempts that are to be under way. */
export const gate = () => {
  const opened = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  return {
    /** Waits inside the runner. */
    pass: () => {
      reached.resolve()
      return opened.promise
    },
    reached: reached.promise,
    open: () => opened.resolve(),
  }
}

/** Awaits a condition that another part of the program brings about. */
export const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  await vi.waitUntil(isSo, { timeout: 100_000, interval: 5 })
}
