// Owns the runners and machines of the process tests, by name, so that a child can be told in JSON what to know. Versions
// of one machine are several entries with the same id.

import { z } from 'zod'
import { parseDefinitions } from '../../src/definitions/parse.ts'
import { type Definition, machine, permanent, runner } from '../../src/index.ts'
import type { AnyRunner } from '../../src/runners/runner.ts'
import type { Said } from './part.ts'

const tell = (word: string): void => {
  const said: Said = { kind: 'told', word }
  process.send?.(said)
}

/** Nothing wakes it: the process can only be ended. */
const forEver = (): Promise<never> => new Promise(() => undefined)

export const hook = runner({
  type: 'hook',
  config: z.object({
    url: z.string(),
    body: z.json(),
    /** The first attempt never returns, although it was answered. */
    stalls: z.boolean().optional(),
  }),
  result: z.object({ id: z.string() }),
  event: 'hooked',
  defaults: { timeout: '10m' },
  async execute({ config, ctx }) {
    const response = await ctx.fetch(config.url, {
      method: 'POST',
      headers: { 'idempotency-key': ctx.idempotencyKey },
      json: config.body,
    })
    if (!response.ok) throw permanent('refused', `the receiver said ${response.status}`)
    if (config.stalls === true && ctx.attempt === 1) {
      tell('answered')
      await forEver()
    }
    return { id: (await response.json()).id }
  },
})

/** Every start of `note` in this process: which, and when by the clock all processes of a machine share. */
export const trace: [name: string, priority: number, at: string][] = []

let isHeld = false
const gone = Promise.withResolvers<void>()

/** A `note` of this process says that it has begun, and does not end before it may go. */
export const hold = (): void => {
  isHeld = true
}
export const go = (): void => {
  isHeld = false
  gone.resolve()
}

export const note = runner({
  type: 'note',
  config: z.object({ name: z.string(), priority: z.number() }),
  execute: async ({ config }) => {
    trace.push([config.name, config.priority, String(process.hrtime.bigint())])
    if (isHeld) {
      tell('begun')
      await gone.promise
    }
    return null
  },
})

export const bomb = runner({
  type: 'bomb',
  config: z.object({ explodes: z.boolean() }),
  execute: ({ config }) => (config.explodes ? process.exit(1) : null),
})

/** A lease as people write one down, with its address to be filled in when it starts. */
const LEASE = JSON.stringify({
  kind: 'machine',
  id: 'lease',
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: { on: { hooked: 'terminated', 'action.failed': 'stuck' } },
    stuck: {},
    terminated: { final: true },
  },
  actions: [
    {
      actionId: 'send_notice',
      type: 'hook',
      triggerState: 'notice_received',
      config: {
        url: '{{execution.variables.url}}/notice',
        body: { to: '{{execution.variables.landlord}}', on: '{{now}}' },
        stalls: '{{execution.variables.stalls}}',
      },
    },
  ],
})

const lease = (): Definition => {
  const { definitions, problems } = parseDefinitions(LEASE, { file: 'lease.json' })
  const [parsed] = definitions
  if (parsed?.kind !== 'machine' || problems.length > 0) throw new Error(JSON.stringify(problems))
  return parsed
}

let isBroken = true
export const mend = (): void => {
  isBroken = false
}

const order = (seesToIt: () => boolean): Definition =>
  machine({
    id: 'order',
    variables: z.object({ url: z.string() }),
    events: { paid: z.object({}), closed: z.object({}) },
    uses: [hook],
    initial: 'open',
    states: {
      open: { on: { paid: 'shipping' } },
      shipping: {
        enter: ({ variables }) => hook({ url: `${variables.url}/ship`, body: { ship: true } }),
        on: {
          hooked: {
            to: 'shipped',
            when: () => {
              if (!seesToIt()) throw new Error('a mistake in the code')
              return true
            },
          },
        },
      },
      shipped: { on: { closed: 'done' } },
      done: { final: true },
    },
  })

const WALK = { go: z.object({}), turn: z.object({}) }

/** In the first version there is a state `b`, in the third there is none. */
const walk = (version: string, versions: 'follow' | 'pin' = 'follow'): Definition =>
  machine({
    id: versions === 'pin' ? 'pinned-walk' : 'walk',
    version,
    versions,
    events: WALK,
    initial: 'a',
    states: {
      a: { on: { go: 'b' } },
      b: { on: { go: 'a', turn: 'c' } },
      c: { final: true },
    },
  })

const shortWalk = (): Definition =>
  machine({
    id: 'walk',
    version: '3',
    events: WALK,
    initial: 'a',
    states: { a: { on: { go: 'c' } }, c: { final: true } },
  })

const DEFINITIONS: Readonly<Record<string, () => Definition>> = {
  lease,
  'order, broken': () => order(() => false),
  'order, mended': () => order(() => true),
  'order, broken until told': () => order(() => !isBroken),
  'walk 1': () => walk('1'),
  'walk 2': () => walk('2'),
  'walk 3': shortWalk,
  'walk 4': () => walk('4'),
  'pinned walk 1': () => walk('1', 'pin'),
}

const RUNNERS: Readonly<Record<string, AnyRunner>> = { hook, note, bomb }

export const definitionsOf = (names: readonly string[]): readonly Definition[] =>
  names.map((name) => DEFINITIONS[name]!())

export const runnersOf = (names: readonly string[]): readonly AnyRunner[] =>
  names.map((name) => RUNNERS[name]!)
