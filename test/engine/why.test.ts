import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine, type Pawl, permanent, retryable } from '../../src/index.ts'
import { HOUR, MINUTE, NOW, onEachShared, onEachStore } from './bed.ts'
import { gate, settle, spy } from './spies.ts'

const job = spy('job', ({ config }) => {
  if (config === 'retry') throw retryable('temporary_failure', 'slow down', { after: '1h' })
  if (config === 'dead') throw permanent('not_found', 'no such thing')
  if (config === 'review') throw Object.assign(new Error('x'), { code: 'ECONNRESET' })
  return null
})

type Act = (pawl: Pawl, id: string) => Promise<unknown>
const nothing: Act = async () => undefined

/** config, options, what is done then; the code, its text, until when. */
type Case = readonly [code: string, config: string, options: object, act: Act, text: RegExp, until?: number]
const CASES: readonly Case[] = [
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

onEachStore('why, of an action', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ runners: [job] })
    await pawl.work({ slots: 0 })
    return pawl
  }

  it.each(CASES.map((row) => ({ code: row[0], row })))('$code', async ({ row }) => {
    const [code, config, options, act, text, until] = row
    const pawl = await begin()
    const { id } = await pawl.dispatch(job(config, options as never))
    await act(pawl, id)
    const { reasons, eta } = await pawl.why(id)
    expect(reasons).toMatchObject([{ code, text: expect.stringMatching(text) }])
    expect(reasons[0]!.until).toBe(until === undefined ? undefined : NOW + until)
    if (until !== undefined) expect(eta).toBe(NOW + until)
  })

  it('no_worker: nobody alive runs that type', async () => {
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch({ type: 'nobody', config: {}, options: {} })
    expect(await pawl.why(id)).toMatchObject({
      reasons: [{ code: 'no_worker', text: expect.stringContaining('“nobody”') }],
    })
    expect((await pawl.why(id)).eta).toBeUndefined()
  })

  it('running and cancelling: by whom', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', pass)
    const pawl = await bed.open({ runners: [slow] })
    const { id } = await pawl.dispatch(slow({}))
    const settled = settle(pawl)
    await reached
    expect((await pawl.why(id)).reasons).toMatchObject([
      { code: 'running', text: expect.stringMatching(/^wrk_\w+ runs it$/) },
    ])
    await pawl.actions.cancel(id)
    expect((await pawl.why(id)).reasons).toMatchObject([{ code: 'cancelling' }])
    open()
    await settled
  })

  it('all reasons that hold are told, and there is no eta while one has no end', async () => {
    const pawl = await begin()
    const { id } = await pawl.dispatch(job('ok', { delay: '1h' }))
    await pawl.pause({ type: 'job' })
    await pawl.pause({ tenant: true })
    const { reasons, eta } = await pawl.why(id)
    expect(reasons.map(({ code }) => code).toSorted()).toEqual(['paused_tenant', 'paused_type', 'scheduled'])
    expect(eta).toBeUndefined()
  })
})

const flow = machine({
  id: 'flow',
  events: { ask: z.object({}), bad: z.object({}), end: z.object({}) },
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
      },
    },
    b: { enter: () => job('ok', { delay: '1h', name: 'letter' }) },
    c: { final: true },
  },
})

onEachStore('why, of an execution', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    await pawl.work({ slots: 0 })
    await pawl.start(flow, { id: 'f', variables: {} })
    return pawl
  }

  it.each([
    ['active', nothing, /^it is in “a” and waits for an event$/],
    ['paused', (pawl) => pawl.executions.pause('f'), /resume it/],
    ['decide_failed', (pawl) => pawl.send('f', 'bad'), /^it failed: flow threw: a bug$/],
    ['completed', (pawl) => pawl.send('f', 'end'), /^it is completed$/],
    ['cancelled', (pawl) => pawl.executions.cancel('f'), /^it is cancelled$/],
    ['action_queued', (pawl) => pawl.send('f', 'ask'), /^letter \(act_\w+\) is scheduled$/],
  ] as readonly (readonly [string, Act, RegExp])[])('%s', async (code, act, text) => {
    const pawl = await begin()
    await act(pawl, 'f')
    expect((await pawl.why('f')).reasons).toMatchObject([{ code, text: expect.stringMatching(text) }])
  })

  it('a step key is an id too, and an execution that is paused is the reason of its actions', async () => {
    const pawl = await begin()
    await pawl.send('f', 'ask')
    await pawl.executions.pause('f', 'holiday')
    const { reasons, id } = await pawl.why('f/b/letter')
    expect(id).toMatch(/^act_/)
    expect(reasons.map(({ code }) => code)).toContain('paused_execution')
    expect(reasons[0]!.text).toContain('holiday')
  })

  it.each(['f%', '100%/x~2', '%2F'])('an execution may be called %j', async (id) => {
    const pawl = await begin()
    await pawl.start(flow, { id, variables: {} })
    await pawl.send(id, 'ask')
    expect((await pawl.why(id)).reasons).toMatchObject([{ code: 'action_queued' }])
    const { data } = await pawl.actions.list({ execution: id })
    expect((await pawl.why(data[0]!.stepKey)).id).toBe(data[0]!.id)
  })

  it.each(['x', 'f/b/nothing', '%E0%A4%A/x', ''])('%j is nothing, and that is said', async (id) => {
    const pawl = await begin()
    await expect(pawl.why(id)).rejects.toMatchObject({ code: 'action_not_found' })
  })
})

onEachShared('why, without the code', (bed) => {
  it('KERNEL §3: no live process knows the version', async () => {
    const author = await bed.open({ definitions: [flow], runners: [job] })
    await author.start(flow, { id: 'f', variables: {} })
    await author.close()
    const stranger = await bed.open()
    expect((await stranger.why('f')).reasons).toMatchObject([
      {
        code: 'definition_unknown',
        text: expect.stringMatching(/^no live process knows flow@[0-9a-f]{8}; start one/),
      },
    ])
  })
})
