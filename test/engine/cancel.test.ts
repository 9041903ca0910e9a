import { expect, it } from 'vitest'
import { z } from 'zod'
import { type ActionOptions, machine, type Pawl, retryable } from '../../src/index.ts'
import { onEachStore } from './bed.ts'
import { type Call, gate, historyOf, only, settle, spy, until } from './spies.ts'

type Act = (call: Call) => unknown

const fails: Act = () => {
  throw retryable('rate_limit', 'later', { after: '1h' })
}
const heeding = ({ ctx }: Call) =>
  new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))

onEachStore('cancel an action', (bed) => {
  it.each([
    ['scheduled', { delay: '1h' }, () => null, 0],
    ['ready', {}, () => null, 0],
    ['retrying', {}, fails, 1],
  ] as readonly (readonly [string, ActionOptions, Act, number])[])(
    'that is %s: it never runs again',
    async (shown, options, act, calls) => {
      const job = spy('job', act)
      const pawl = await bed.open({ runners: [job] })
      const { id } = await pawl.dispatch(job({}, options))
      if (calls > 0) await settle(pawl)
      expect((await only(pawl)).shown).toBe(shown)
      await pawl.actions.cancel(id, 'not wanted')
      expect(await only(pawl)).toMatchObject({
        status: 'cancelled',
        error: { type: 'cancelled', message: 'not wanted' },
      })
      await pawl.advance({ by: '1d' })
      expect(job.calls).toHaveLength(calls)
    },
  )

  it('that runs and heeds its signal: it ends cancelled', async () => {
    const job = spy('job', heeding)
    const pawl = await bed.open({ runners: [job], leaseMs: 1500, clock: 'real' })
    const { id } = await pawl.dispatch(job({}))
    const stop = await pawl.work()
    await until(() => job.calls.length === 1)
    await pawl.actions.cancel(id)
    await until(async () => (await only(pawl)).status === 'cancelled')
    expect(job.calls[0]!.ctx.signal.reason).toMatchObject({ name: 'AbortError' })
    await stop()
    expect(job.calls).toHaveLength(1)
  })

  it('that runs and does not heed its signal: it is given up and ends cancelled', async () => {
    const { pass, open } = gate()
    const job = spy('job', pass)
    const pawl = await bed.open({ runners: [job], leaseMs: 1500, clock: 'real' })
    const { id } = await pawl.dispatch(job({}))
    await pawl.work()
    await until(() => job.calls.length === 1)
    await pawl.actions.cancel(id)
    await until(async () => (await only(pawl)).status === 'cancelled')
    open()
    await pawl.close()
  })

  it('A1: that runs and succeeds all the same: it is a success', async () => {
    const { pass, reached, open } = gate()
    const job = spy('job', pass)
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch(job({}))
    const settled = settle(pawl)
    await reached
    await pawl.actions.cancel(id)
    expect((await pawl.why(id)).reasons).toMatchObject([{ code: 'cancelling' }])
    open()
    await settled
    expect((await only(pawl)).status).toBe('succeeded')
  })

  it('that runs and fails: it is not tried again', async () => {
    const { pass, reached, open } = gate()
    const job = spy('job', (call) => pass().then(() => fails(call)))
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch(job({}))
    const settled = settle(pawl)
    await reached
    await pawl.actions.cancel(id)
    open()
    await settled
    await pawl.advance({ by: '1d' })
    expect((await only(pawl)).status).toBe('cancelled')
    expect(job.calls).toHaveLength(1)
  })

  it.each([
    [
      'dead',
      () => {
        throw new Error('x')
      },
      { retryPolicy: { maxAttempts: 1 } },
    ],
    ['succeeded', () => null, {}],
  ] as readonly (readonly [string, Act, ActionOptions])[])(
    'that is %s: refused, and nothing changes',
    async (status, act, options) => {
      const job = spy('job', act)
      const pawl = await bed.open({ runners: [job] })
      const { id } = await pawl.dispatch(job({}, options))
      await settle(pawl)
      await expect(pawl.actions.cancel(id)).rejects.toMatchObject({ code: 'action_conflict' })
      expect((await only(pawl)).status).toBe(status)
    },
  )

  it('that is not there: refused', async () => {
    const pawl = await bed.open()
    await expect(pawl.actions.cancel('act_x')).rejects.toMatchObject({ code: 'action_not_found' })
  })

  it('cancelled twice: the second is refused', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch(job({}, { delay: '1h' }))
    await pawl.actions.cancel(id)
    await expect(pawl.actions.cancel(id)).rejects.toMatchObject({ code: 'action_conflict' })
  })
})

const mail = spy('mail')
const trip = machine({
  id: 'trip',
  events: { leave: z.object({}), back: z.object({}), end: z.object({}) },
  uses: [mail],
  initial: 'home',
  states: {
    home: {
      enter: () => [
        mail('kept', { name: 'kept', delay: '2h' }),
        mail('gone', { name: 'gone', delay: '2h', cancelOnExit: true }),
      ],
      on: { leave: 'away', end: 'over' },
      after: { '5h': 'over' },
    },
    away: { on: { back: 'home' } },
    over: { final: true },
  },
})

onEachStore('leaving and cancelling', (bed) => {
  const begin = async () => {
    mail.calls.length = 0
    const pawl = await bed.open({ definitions: [trip], runners: [mail] })
    await pawl.start(trip, { id: 't', variables: {} })
    return pawl
  }
  const statuses = async (pawl: Pawl) =>
    Object.fromEntries((await pawl.actions.list()).data.map(({ stepKey, status }) => [stepKey, status]))

  it('KERNEL §2: leaving a state cancels what says cancelOnExit, and only that', async () => {
    const pawl = await begin()
    await pawl.send('t', 'leave')
    await pawl.advance({ by: '3h' })
    expect(await statuses(pawl)).toEqual({ 't/home/kept': 'succeeded', 't/home/gone': 'cancelled' })
    expect(mail.calls.map(({ config }) => config)).toEqual(['kept'])
  })

  it('KERNEL §2: a second visit has keys of its own', async () => {
    const pawl = await begin()
    await pawl.send('t', 'leave')
    await pawl.send('t', 'back')
    await pawl.advance({ by: '3h' })
    expect(await statuses(pawl)).toEqual({
      't/home/kept': 'succeeded',
      't/home/gone': 'cancelled',
      't/home/kept~2': 'succeeded',
      't/home/gone~2': 'succeeded',
    })
    expect(new Set(mail.calls.map(({ key }) => key)).size).toBe(3)
  })

  it('KERNEL §2: in a final state timers are cancelled and queued actions still run', async () => {
    const pawl = await begin()
    await pawl.send('t', 'end')
    await pawl.advance({ by: '6h' })
    expect(mail.calls.map(({ config }) => config)).toEqual(['kept'])
    expect(await historyOf(pawl, 't')).toHaveLength(2 + 1)
  })

  it('an execution that is cancelled: its actions and timers with it, and it hears nothing more', async () => {
    const pawl = await begin()
    await pawl.executions.cancel('t', 'sold')
    expect(await pawl.executions.get('t')).toMatchObject({ status: 'cancelled', state: 'home' })
    await pawl.advance({ by: '1d' })
    expect(mail.calls).toEqual([])
    expect(await statuses(pawl)).toEqual({ 't/home/kept': 'cancelled', 't/home/gone': 'cancelled' })
    expect(await pawl.send('t', 'leave')).toMatchObject({ applied: false, reason: 'ended' })
    const { data } = await pawl.executions.history('t')
    expect(data[1]).toMatchObject({ type: 'execution.cancelled', data: { reason: 'sold' } })
    await expect(pawl.executions.cancel('t')).rejects.toMatchObject({ code: 'execution_conflict' })
  })

  it('a paused execution can be cancelled', async () => {
    const pawl = await begin()
    await pawl.executions.pause('t')
    await pawl.executions.cancel('t')
    await pawl.advance({ by: '1d' })
    expect(mail.calls).toEqual([])
    expect((await pawl.executions.get('t'))!.status).toBe('cancelled')
  })

  it('an execution that is cancelled while its action runs: the effect is kept, nothing follows it', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', () => pass().then(() => 'sent'), { event: 'sent' })
    const one = machine({
      id: 'one',
      uses: [slow],
      initial: 'a',
      states: { a: { enter: () => slow({}), on: { sent: 'b' } }, b: {} },
    })
    const pawl = await bed.open({ definitions: [one], runners: [slow] })
    await pawl.start(one, { id: 'o', variables: {} })
    const settled = settle(pawl)
    await reached
    await pawl.executions.cancel('o')
    open()
    await settled
    expect((await only(pawl)).status).toBe('succeeded')
    expect(await pawl.executions.get('o')).toMatchObject({ status: 'cancelled', state: 'a' })
  })

  it('an execution that is not there cannot be cancelled', async () => {
    const pawl = await begin()
    await expect(pawl.executions.cancel('x')).rejects.toMatchObject({ code: 'execution_not_found' })
  })
})

onEachStore('leaving a state whose action runs', (bed) => {
  it('KERNEL §2: cancelOnExit stops what is under way', async () => {
    const slow = spy('slow', heeding)
    const one = machine({
      id: 'one',
      events: { go: z.object({}) },
      uses: [slow],
      initial: 'a',
      states: { a: { enter: () => slow({}, { cancelOnExit: true }), on: { go: 'b' } }, b: {} },
    })
    const pawl = await bed.open({ definitions: [one], runners: [slow], leaseMs: 1500, clock: 'real' })
    await pawl.start(one, { id: 'o', variables: {} })
    await pawl.work()
    await until(() => slow.calls.length === 1)
    await pawl.send('o', 'go')
    await until(async () => (await only(pawl)).status === 'cancelled')
    expect((await pawl.executions.get('o'))!.state).toBe('b')
  })
})
