// The table of `why`: how an action or an execution comes to wait, and what is said of it then. It is asked through the
// library on every store, and through the server and the command line.

import { z } from 'zod'
import { machine, type Pawl, permanent, retryable } from '../../src/index.ts'
import { HOUR, MINUTE } from './bed.ts'
import { settle, spy } from './spies.ts'

export const job = spy('job', ({ config }) => {
  if (config === 'retry') throw retryable('temporary_failure', 'slow down', { after: '1h' })
  if (config === 'dead') throw permanent('not_found', 'no such thing')
  if (config === 'review') throw Object.assign(new Error('x'), { code: 'ECONNRESET' })
  return null
})

type Act = (pawl: Pawl, id: string) => Promise<unknown>
const nothing: Act = async () => undefined

/** config, options, what is done then; the code, its text, until when. */
type Case = readonly [code: string, config: string, options: object, act: Act, text: RegExp, until?: number]
export const WHY_CASES: readonly Case[] = [
  ['scheduled', 'ok', { delay: '1h' }, nothing, /^it is due in 1h$/, HOUR],
  ['ready', 'ok', {}, nothing, /waits for a free slot/],
  [
    'retrying',
    'retry',
    {},
    settle,
    /^attempt 1 of 3 failed \(temporary_failure: slow down\); once more in 5m$/,
    5 * MINUTE,
  ],
  [
    'window',
    'ok',
    { window: { timezone: 'UTC', weekdays: 'daily', from: '10:00', to: '11:00' } },
    settle,
    /^its delivery window is closed/,
    HOUR,
  ],
  [
    'paused_type',
    'ok',
    {},
    (pawl) => pawl.pause({ type: 'job' }, 'provider down'),
    /“job” is paused since .*: provider down; resume it/,
  ],
  ['paused_tenant', 'ok', {}, (pawl) => pawl.pause({ tenant: true }), /the tenant default is paused since/],
  ['dead', 'dead', {}, settle, /attempt 1 of 3: not_found: no such thing; mend the cause and retry it/],
  ['review', 'review', { delivery: 'at_most_once' }, settle, /nobody knows whether its effect happened/],
  ['succeeded', 'ok', {}, settle, /^it succeeded at 2026-01-05T09:00:00.000Z$/],
  [
    'cancelled',
    'ok',
    {},
    (pawl, id) => pawl.actions.cancel(id, 'sold'),
    /^it was cancelled at .*: cancelled: sold$/,
  ],
  ['skipped', 'ok', { condition: false }, nothing, /^it was skipped at .*condition_false/],
  [
    'archived',
    'dead',
    {},
    async (pawl, id) => {
      await settle(pawl)
      await pawl.actions.archive(id)
    },
    /^it is archived since/,
  ],
]

export const flow = machine({
  id: 'flow',
  events: { ask: z.object({}), bad: z.object({}), end: z.object({}), rest: z.object({}) },
  uses: [job],
  initial: 'a',
  states: {
    a: {
      on: {
        ask: 'b',
        bad: {
          to: 'b',
          when: () => {
            throw new Error('a bug')
          },
        },
        end: 'c',
        rest: 'd',
      },
    },
    b: { enter: () => job('ok', { delay: '1h', name: 'letter' }) },
    c: { final: true },
    d: { after: { '30d': 'c' } },
  },
})

/** What is done to the execution `f` of `flow`; the code, its text. */
export const EXECUTION_CASES: readonly (readonly [code: string, act: Act, text: RegExp])[] = [
  ['active', nothing, /^it is in “a” and waits for an event$/],
  ['paused', (pawl) => pawl.executions.pause('f'), /resume it/],
  ['decide_failed', (pawl) => pawl.send('f', 'bad'), /^it failed: flow threw: a bug$/],
  ['completed', (pawl) => pawl.send('f', 'end'), /^it is completed$/],
  ['cancelled', (pawl) => pawl.executions.cancel('f'), /^it is cancelled$/],
  ['action_queued', (pawl) => pawl.send('f', 'ask'), /^letter \(act_\w+\) is scheduled$/],
  ['timer', (pawl) => pawl.send('f', 'rest'), /^it is in “d”: its timer “[^”]*30d[^”]*” fires in 30d$/],
]
