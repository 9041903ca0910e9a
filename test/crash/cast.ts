// Owns the runners and machines of the workload: timers, retries, refusals, cancelled work, an effect that may happen at
// most once. Every state is entered once at most, so that a second entry is a transition that was applied twice.

import { z } from 'zod'
import { permanent, retryable } from '../../src/core/action-error.ts'
import { machine } from '../../src/definitions/machine.ts'
import { loadDefinition } from '../../src/definitions/parse.ts'
import type { Definition } from '../../src/pawl/known.ts'
import type { NewRecurrence } from '../../src/pawl/recurring.ts'
import { type AnyRunner, runner } from '../../src/runners/runner.ts'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import type { DirectKind } from './part.ts'
import type { Points } from './points.ts'
import { OCCURRENCES } from './workload.ts'

const RETRIES = { maxAttempts: 4, baseDelay: 40, maxDelay: 200 }
const CONFIG = z.object({ path: z.string(), body: z.json() })
const SENT = z.object({ id: z.string() })
type Call = z.infer<typeof CONFIG>

const post = async (base: string, { path, body }: Call, ctx: RunnerContext): Promise<{ id: string }> => {
  const headers = {
    'idempotency-key': ctx.idempotencyKey,
    'x-process': String(process.pid),
    'x-step': ctx.stepKey,
  }
  const response = await ctx.fetch(`${base}${path}`, { method: 'POST', headers, json: body })
  const { status } = response
  if (status >= 500) throw retryable('server_error', `the receiver said ${status}`)
  if (status >= 400) throw permanent('refused', `the receiver said ${status}`)
  return { id: (await response.json()).id }
}

const createRunners = (baseOf: () => string, { around }: Points) => ({
  hook: runner({
    type: 'hook',
    config: CONFIG,
    result: SENT,
    event: 'hooked',
    defaults: { timeout: '30s', retryPolicy: RETRIES },
    execute: ({ config, ctx }) => around('effect', () => post(baseOf(), config, ctx)),
  }),
  text: runner({
    type: 'text',
    config: CONFIG,
    result: SENT,
    event: 'texted',
    delivery: 'at_most_once',
    defaults: { timeout: '30s', retryPolicy: RETRIES },
    execute: ({ config, ctx }) => around('effect', () => post(baseOf(), config, ctx)),
  }),
})

type Runners = ReturnType<typeof createRunners>

const VARIABLES = z.object({ me: z.string() })
const NONE = z.object({})
const END = { final: true } as const

const order = ({ hook }: Runners, version: string): Definition =>
  machine({
    id: 'order',
    version,
    variables: VARIABLES,
    events: { paid: NONE },
    uses: [hook],
    initial: 'open',
    states: {
      open: { on: { paid: 'shipping' } },
      shipping: {
        enter: ({ variables: { me } }) => hook({ path: '/ok', body: { me, what: 'ship' } }, { name: 'ship' }),
        on: { hooked: 'resting', 'action.failed': 'stuck' },
      },
      resting: { after: { '100ms': 'billing' } },
      billing: {
        enter: ({ variables: { me } }) =>
          hook({ path: '/flaky', body: { me, what: 'bill' } }, { name: 'bill' }),
        on: { hooked: 'done', 'action.failed': 'stuck' },
      },
      stuck: END,
      done: END,
    },
  })

const alarm = ({ text }: Runners, version: string): Definition =>
  machine({
    id: 'alarm',
    version,
    variables: VARIABLES,
    events: { raised: NONE },
    uses: [text],
    initial: 'open',
    states: {
      open: { on: { raised: 'texting' } },
      texting: {
        enter: ({ variables: { me } }) => text({ path: '/ok', body: { me, what: 'text' } }, { name: 'text' }),
        on: { texted: 'done', 'action.failed': 'unknown' },
      },
      unknown: END,
      done: END,
    },
  })

const doomed = ({ hook }: Runners, version: string): Definition =>
  machine({
    id: 'doomed',
    version,
    variables: VARIABLES,
    events: { asked: NONE },
    uses: [hook],
    initial: 'open',
    states: {
      open: { on: { asked: 'asking' } },
      asking: {
        enter: ({ variables: { me } }) =>
          hook({ path: '/refuse', body: { me, what: 'ask' } }, { name: 'ask' }),
        on: { hooked: 'done', 'action.failed': 'refused' },
      },
      refused: END,
      done: END,
    },
  })

const parting = ({ hook }: Runners, version: string): Definition =>
  machine({
    id: 'parting',
    version,
    variables: VARIABLES,
    events: { booked: NONE, left: NONE },
    uses: [hook],
    initial: 'open',
    states: {
      open: { on: { booked: 'booked' } },
      booked: {
        enter: ({ variables: { me } }) =>
          hook(
            { path: '/ok', body: { me, what: 'remind' } },
            { name: 'remind', delay: '1h', cancelOnExit: true },
          ),
        on: { left: 'leaving' },
        after: { '1h': 'stuck' },
      },
      leaving: {
        enter: ({ variables: { me } }) =>
          hook({ path: '/slow', body: { me, what: 'goodbye' } }, { name: 'goodbye' }),
        on: { hooked: 'done', 'action.failed': 'stuck' },
      },
      stuck: END,
      done: END,
    },
  })

/** As people write one down. The bytes of its call hold the instant at which it was decided. */
const notice = (version: string): Definition => {
  const { definitions, problems } = loadDefinition({
    kind: 'machine',
    id: 'notice',
    description: `version ${version}`,
    initial: 'open',
    states: {
      open: { on: { given: 'sending' } },
      sending: {
        enter: {
          type: 'hook',
          name: 'send',
          config: { path: '/ok', body: { me: '{{execution.variables.me}}', what: 'send', on: '{{now}}' } },
        },
        on: { hooked: 'done', 'action.failed': 'stuck' },
      },
      stuck: { final: true },
      done: { final: true },
    },
  })
  const [parsed] = definitions
  if (parsed?.kind !== 'machine') throw new Error(JSON.stringify(problems))
  return parsed
}

/** An action that belongs to no execution. */
const directOf = ({ hook, text }: Runners, kind: DirectKind, me: string) => {
  const to = (path: string) => ({ path, body: { me, what: 'direct' } })
  switch (kind) {
    case 'plain':
      return hook(to('/ok'))
    case 'text':
      return text(to('/ok'))
    case 'refused':
      return hook(to('/refuse'))
    case 'late':
      return hook(to('/ok'), { delay: '1h' })
  }
}

/** One of them each second, whoever was away over it. */
const recurrenceOf = (me: string): NewRecurrence => ({
  id: me,
  cron: '* * * * * *',
  timezone: 'UTC',
  misfire: 'all',
  maxExecutions: OCCURRENCES,
  do: {
    type: 'hook',
    config: { path: '/ok', body: { me, what: 'fired at {{scheduled_at}}' } },
    timeout: '30s',
    retryPolicy: { backoffStrategy: 'fixed', ...RETRIES },
  },
})

/** `baseOf`: where effects go, known by when there are any. */
export const createCast = (baseOf: () => string, version: string, points: Points) => {
  const runners = createRunners(baseOf, points)
  const machines = [order, alarm, doomed, parting].map((make) => make(runners, version))
  return {
    runners: Object.values(runners) as readonly AnyRunner[],
    definitions: [...machines, notice(version)] as readonly Definition[],
    recurrence: recurrenceOf,
    direct: (kind: DirectKind, me: string) => directOf(runners, kind, me),
  }
}
