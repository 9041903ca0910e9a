import { expect, it } from 'vitest'
import { machine, type Pawl, permanent, retryable } from '../../src/index.ts'
import { onEachStore } from './bed.ts'
import { only, settle, spy } from './spies.ts'

const POLICY = { retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed' } } as const
const unknown = (): never => {
  throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
}
const refused = (): never => {
  throw retryable('rate_limit', 'refused')
}

onEachStore('delivery', (bed) => {
  it.each([
    ['at_least_once', unknown, 3, 'dead'],
    ['at_least_once', refused, 3, 'dead'],
    ['at_most_once', unknown, 1, 'review'],
    ['at_most_once', refused, 3, 'dead'],
  ] as const)('KERNEL §8: %s, %o: %i attempts, then %s', async (delivery, act, attempts, status) => {
    const pay = spy('pay', act)
    const pawl = await bed.open({ runners: [pay] })
    await pawl.dispatch(pay({}, { ...POLICY, delivery }))
    await pawl.advance({ by: '1h' })
    expect(pay.calls).toHaveLength(attempts)
    expect(await only(pawl)).toMatchObject({ status })
  })

  it('KERNEL §8: under at_most_once a refusal is retried until the outcome is unknown', async () => {
    const pay = spy('pay', ({ attempt }) => (attempt === 1 ? refused() : unknown()), {
      delivery: 'at_most_once',
    })
    const pawl = await bed.open({ runners: [pay] })
    await pawl.dispatch(pay({}, POLICY))
    await pawl.advance({ by: '1h' })
    expect(pay.calls).toHaveLength(2)
    expect(await only(pawl)).toMatchObject({ status: 'review', error: { type: 'network_error' } })
  })

  it('reconcile is asked before every repetition, and only then', async () => {
    const asked: number[] = []
    const pay = spy('pay', unknown, {
      delivery: 'reconcile',
      reconcile: ({ ctx }) => {
        asked.push(ctx.attempt)
        return ctx.attempt === 3 ? { found: true } : undefined
      },
    })
    const pawl = await bed.open({ runners: [pay] })
    await pawl.dispatch(pay({}, POLICY))
    await pawl.advance({ by: '1h' })
    expect(asked).toEqual([2, 3])
    expect(pay.calls.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: { found: true } })
  })

  it('reconcile that throws is an attempt that failed, without an effect', async () => {
    const pay = spy('pay', unknown, {
      delivery: 'reconcile',
      reconcile: () => {
        throw permanent('authentication_failed', 'no')
      },
    })
    const pawl = await bed.open({ runners: [pay] })
    await pawl.dispatch(pay({}, POLICY))
    await pawl.advance({ by: '1h' })
    expect(pay.calls).toHaveLength(1)
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'authentication_failed' } })
  })
})

onEachStore('a review', (bed) => {
  const begin = async () => {
    const pay = spy('pay', ({ attempt }) => (attempt === 1 ? unknown() : { receipt: attempt }), {
      delivery: 'at_most_once',
      event: 'paid',
    })
    const order = machine({
      id: 'order',
      uses: [pay],
      initial: 'paying',
      states: {
        paying: { enter: () => pay({ cents: 5 }), on: { paid: 'done', 'action.failed': 'asked' } },
        asked: { on: { paid: 'done', 'action.failed': 'lost' } },
        done: { final: true },
        lost: { final: true },
      },
    })
    const pawl = await bed.open({ definitions: [order], runners: [pay] })
    await pawl.start(order, { id: 'o', variables: {} })
    await settle(pawl)
    const { id } = await only(pawl)
    expect(await stateOf(pawl)).toBe('asked')
    return { pawl, id, pay }
  }
  const stateOf = async (pawl: Pawl) => (await pawl.executions.get('o'))!.state

  it('resolved as succeeded: the action has the result, the machine hears its event', async () => {
    const { pawl, id, pay } = await begin()
    await pawl.actions.resolve(id, { outcome: 'succeeded', result: { receipt: 'by hand' } })
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: { receipt: 'by hand' } })
    await settle(pawl)
    expect(await stateOf(pawl)).toBe('done')
    expect(pay.calls).toHaveLength(1)
  })

  it('resolved as failed: it is a dead letter with what the person said, and the machine hears that', async () => {
    const { pawl, id, pay } = await begin()
    await pawl.actions.resolve(id, {
      outcome: 'failed',
      error: { type: 'bounced', message: 'the bank says no' },
    })
    expect(await only(pawl)).toMatchObject({
      status: 'dead',
      error: { type: 'bounced', message: 'the bank says no' },
    })
    expect(await stateOf(pawl)).toBe('lost')
    await pawl.advance({ by: '1d' })
    expect(pay.calls).toHaveLength(1)
  })

  it('resolved as retry: it runs again, under the same key, and the machine hears of it', async () => {
    const { pawl, id, pay } = await begin()
    await pawl.actions.resolve(id, { outcome: 'retry' })
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: { receipt: 2 } })
    expect(pay.calls[0]!.key).toBe(pay.calls[1]!.key)
    expect(await stateOf(pawl)).toBe('done')
  })

  it.each(['succeeded', 'failed', 'retry'] as const)(
    'once resolved it is no review any more (%s)',
    async (outcome) => {
      const { pawl, id } = await begin()
      await pawl.actions.resolve(id, { outcome: 'failed' })
      await expect(pawl.actions.resolve(id, { outcome })).rejects.toMatchObject({ code: 'action_conflict' })
      expect((await only(pawl)).status).toBe('dead')
    },
  )

  it('ten people resolve it at once: one of them does, the machine hears it once', async () => {
    const { pawl, id } = await begin()
    const said = await Promise.allSettled(
      Array.from({ length: 10 }, () => pawl.actions.resolve(id, { outcome: 'succeeded' })),
    )
    await settle(pawl)
    expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stateOf(pawl)).toBe('done')
  })

  it('a direct action is resolved without a machine', async () => {
    const pay = spy('pay', unknown, { delivery: 'at_most_once' })
    const pawl = await bed.open({ runners: [pay] })
    const { id } = await pawl.dispatch(pay({}))
    await settle(pawl)
    await pawl.actions.resolve(id, { outcome: 'succeeded', result: 'seen at the bank' })
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: 'seen at the bank' })
  })

  it('an action that is not there cannot be resolved', async () => {
    const { pawl } = await begin()
    await expect(pawl.actions.resolve('act_x', { outcome: 'retry' })).rejects.toMatchObject({
      code: 'action_not_found',
    })
  })
})
