// A lease ends: the walk of one action through Pawl's core, step by step, with nothing sent and no clock asked.
// What it prints is kept in 02-core-walk.out, and a test compares.

import { z } from 'zod'
import type { ActionPlan } from '../src/core/action.ts'
import { type Event, startedEvent, succeededEvent } from '../src/core/event.ts'
import { blankExecution } from '../src/core/execution.ts'
import { type Settlement, settle } from '../src/core/settle.ts'
import { decideMachine } from '../src/core/triggers/machine.ts'
import { checkEvent } from '../src/definitions/check-event.ts'
import { machine, permanent, retryable, runner } from '../src/index.ts'
import { perform } from '../src/runners/perform.ts'
import { type Answer, contextOf, say, tellAttempt, tellDecision } from './core-stage.ts'

const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  async execute({ config, ctx }) {
    const res = await ctx.fetch('https://push.example/send', { method: 'POST', json: config })
    if (res.status === 429) throw retryable('rate_limit', 'throttled', { after: '30s' })
    if (!res.ok) throw permanent('malformed_request', await res.text())
    return { id: (await res.json()).id }
  },
})

const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string() }),
  events: { 'notice.received': z.object({ until: z.iso.date() }) },
  uses: [notify], // its result events may be named in `on`; anything else does not compile
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: {
      enter: ({ variables, event }) =>
        event.type === 'notice.received' &&
        notify({ to: variables.landlord, text: `until ${event.payload.until}` }),
      on: { notified: 'terminating', 'action.failed': 'stuck' },
      after: { '30d': 'terminated' },
    },
    terminating: { after: { '30d': 'terminated' } },
    stuck: {},
    terminated: { final: true },
  },
})

/** What a worker does with an action that is due: perform it, then settle what came of it. */
const attempt = async (
  plan: ActionPlan,
  number: number,
  now: number,
  answer: Answer,
): Promise<Settlement> => {
  const { config, stepKey, delivery, retryPolicy } = plan
  const { outcome } = await perform(notify, { config, delivery, ctx: contextOf(plan, number, now, answer) })
  const counts = { attempt: number, lost: 0, reaps: 0, cancelRequested: false }
  const settlement = settle({ status: 'running', stepKey, delivery, retryPolicy, ...counts }, outcome, now)!
  tellAttempt(
    `attempt ${number} of ${plan.name}: push.example answers ${answer.status}`,
    now,
    plan,
    settlement,
  )
  return settlement
}

say('One lease, one notice, one action. Every line is the answer of a pure function: nothing is sent,')
say('no clock is asked, and it reads the same tomorrow. An engine would commit each step to its store.')
say()

const decide = decideMachine(lease)
const NINE = Date.UTC(2026, 11, 1, 9)

// A lease starts.
const blank = blankExecution({
  id: 'l_882',
  namespace: 'default',
  tenant: 'default',
  kind: 'machine',
  definition: lease.id,
  definitionHash: lease.hash,
})
const start = startedEvent('l_882', { landlord: 'ada' }, NINE)
const started = decide(blank, start, start.at)
tellDecision('the lease l_882 starts, its landlord is ada', start, started)

// The notice arrives and fits its schema: the machine moves on and asks for an action. Both are one commit.
const payload = checkEvent(lease, 'notice.received', { until: '2026-12-31' })
const notice: Event = { id: 'evt_1', type: 'notice.received', payload, at: NINE + 60_000 }
const noticed = decide(started.execution, notice, notice.at)
tellDecision('notice.received (evt_1), until 2026-12-31', notice, noticed)

// The first attempt is throttled: queued again, for when the provider asked and not when the policy alone would.
const action = noticed.actions[0]!
const throttled = await attempt(action, 1, action.dueAt, { status: 429, body: 'slow down' })

// The second, under the same key and with the same bytes, succeeds.
const sent = await attempt(action, 2, throttled.dueAt!, { status: 200, body: '{"id":"msg_7"}' })

// A result is an event: the loop closes.
const settled = { id: 'act_1', name: action.name, settlement: 2 }
const result = succeededEvent(settled, sent.result!, sent.event!, throttled.dueAt!)
const told = decide(noticed.execution, result, result.at)
tellDecision(`${result.type}, the result of ${action.name}`, result, told)

// A timer of the state that was left may still arrive, from a worker that was slow: it changes nothing.
const stale = noticed.timers[0]!
tellDecision(`${stale.key} fires all the same`, stale.event, decide(told.execution, stale.event, stale.dueAt))

// The timer of the state it is in: the thirty days are over.
const timer = told.timers[0]!
const ended = decide(told.execution, timer.event, timer.dueAt)
tellDecision(`${timer.key} fires`, timer.event, ended)

// What has ended stays ended.
const late: Event = { ...notice, id: 'evt_2', at: timer.dueAt + 60_000 }
tellDecision('notice.received (evt_2), a month late', late, decide(ended.execution, late, late.at))
