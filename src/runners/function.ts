// Owns the function runner: a function of the program, by its name, so that a definition in a file can ask for it. What a
// runner of one's own has beyond it is a schema of its config, a result event and a place of its own in the limits.

import { z } from 'zod'
import { type Json, own } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import { keepIn, type Outbox } from './outbox.ts'
import { runner } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'
import { strictConfig } from './strict-config.ts'

/** Returns its result, as JSON, or throws: `retryable`, `permanent`, or anything. It may be called more than once. */
export type NamedFunction = (input: Json, ctx: RunnerContext) => unknown

export interface FunctionDeps {
  readonly functions: Readonly<Record<string, NamedFunction>>
  readonly outbox: Outbox
  readonly defaultProvider?: 'sandbox'
  /** What one call costs, in whatever unit the tenant counts. */
  readonly cost?: number
}

const unknownOf = (name: string, names: readonly string[]): string => {
  const meant = nearest(name, names)
  const hint = meant === undefined ? `there are ${names.join(', ') || 'none'}` : `did you mean ${meant}?`
  return `no function is called “${name.slice(0, 80)}” here; ${hint}`
}

const configOf = (functions: FunctionDeps['functions']) =>
  strictConfig(
    {
      provider: z.literal('sandbox', 'expected sandbox').optional(),
      name: z.string('expected the name of a function').superRefine((name, context) => {
        if (typeof own(functions, name) !== 'function' && !name.includes('{{'))
          context.addIssue({ code: 'custom', message: unknownOf(name, Object.keys(functions)) })
      }),
      input: z.custom<Json>(() => true).default(null),
    },
    {
      function: 'it is called name',
      args: 'what the function is given is input',
      arguments: 'what the function is given is input',
      payload: 'what the function is given is input',
    },
  )

/** What a function returns nothing of is told as null. */
const result = z.custom<Json>(() => true).transform((value) => value ?? null)

export const createFunction = ({ functions, outbox, defaultProvider, cost }: FunctionDeps) => {
  const config = configOf(functions)
  type Config = z.output<typeof config>
  const isSandbox = (given: Config): boolean => (given.provider ?? defaultProvider) === 'sandbox'
  return runner({
    type: 'function',
    config,
    result,
    event: 'function_called',
    delivery: 'at_least_once',
    permissions: [],
    // A function asks for its secrets by ctx.secret: what stands in a config may be shown.
    secrets: [],
    eventPayload: ({ config: { name } }) => ({ name }),
    metadata: ({ config: { name } }) => ({ name }),
    ...(cost !== undefined && { cost: (done: { config: Config }) => (isSandbox(done.config) ? 0 : cost) }),
    execute: async ({ config: { name, input, ...rest }, ctx }) => {
      if (!isSandbox({ name, input, ...rest })) return (await functions[name]!(input, ctx)) as Json
      await keepIn(outbox, ctx, 'function', { name, input })
      return null
    },
  })
}
