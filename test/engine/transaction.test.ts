import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine } from '../../src/index.ts'
import { onEachShared } from './bed.ts'
import { only, settle, spy, until } from './spies.ts'

const job = spy('job')
const order = machine({
  id: 'order',
  variables: z.object({ total: z.number() }),
  events: { pay: z.object({ by: z.string() }) },
  uses: [job],
  initial: 'open',
  states: { open: { enter: () => job('opened'), on: { pay: 'paid' } }, paid: {} },
})
const variables = { total: 7 }

onEachShared('in(client): inside the caller’s own transaction', (bed) => {
  const open = (more: object = {}) => {
    job.calls.length = 0
    return bed.open({ definitions: [order], runners: [job], ...more })
  }

  it('committed together', async () => {
    const pawl = await open()
    await bed.transact(async (client) => {
      const inside = pawl.in(client)
      expect(await inside.start(order, { id: 'o', variables })).toMatchObject({ id: 'o', isNew: true })
      await inside.send('o', 'pay', { by: 'card' }, { id: 'evt_1' })
      await inside.dispatch(job('direct'), { id: 'act_1' })
    })
    await settle(pawl)
    expect(await pawl.executions.get('o')).toMatchObject({ state: 'paid' })
    expect(job.calls.map(({ config }) => config).toSorted()).toEqual(['direct', 'opened'])
    expect(await pawl.send('o', 'pay', { by: 'card' }, { id: 'evt_1' })).toMatchObject({ duplicate: true })
  })

  it('rolled back together: as if nothing had been asked', async () => {
    const pawl = await open()
    const rolledBack = bed.transact(async (client) => {
      const inside = pawl.in(client)
      await inside.start(order, { id: 'o', variables })
      await inside.dispatch(job('direct'), { id: 'act_1' })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await settle(pawl)
    expect(await pawl.executions.get('o')).toBeUndefined()
    expect((await pawl.actions.list()).data).toEqual([])
    expect(await pawl.start(order, { id: 'o', variables })).toMatchObject({ isNew: true })
    await settle(pawl)
    expect(job.calls.map(({ config }) => config)).toEqual(['opened'])
  })

  it('rolled back, an event was never sent: its id is free', async () => {
    const pawl = await open()
    await pawl.start(order, { id: 'o', variables })
    await bed
      .transact(async (client) => {
        await pawl.in(client).send('o', 'pay', { by: 'card' }, { id: 'evt_1' })
        throw new Error('no')
      })
      .catch(() => undefined)
    await settle(pawl)
    expect((await pawl.executions.get('o'))!.state).toBe('open')
    expect(await pawl.send('o', 'pay', { by: 'card' }, { id: 'evt_1' })).toMatchObject({ applied: true })
  })

  it('a worker is woken by the commit', async () => {
    const pawl = await open({ clock: 'real' })
    await pawl.work()
    await bed.transact((client) => pawl.in(client).start(order, { id: 'o', variables }))
    await until(async () => (await only(pawl)).status === 'succeeded')
    await bed.transact((client) => pawl.in(client).send('o', 'pay', { by: 'card' }))
    await until(async () => (await pawl.executions.get('o'))!.state === 'paid')
  })

  it('what does not fit is refused inside as outside', async () => {
    const pawl = await open()
    await pawl.start(order, { id: 'o', variables })
    const inside = (ask: (client: unknown) => Promise<unknown>) => bed.transact(ask)
    await expect(inside((client) => pawl.in(client).send('o', 'pay', {}))).rejects.toMatchObject({
      code: 'event_invalid',
    })
    await expect(inside((client) => pawl.in(client).send('none', 'pay', {}))).rejects.toMatchObject({
      code: 'execution_not_found',
    })
    await expect(inside((client) => pawl.in(client).start('order', { id: 'p' }))).rejects.toMatchObject({
      code: 'variables_invalid',
    })
    await expect(
      inside((client) => pawl.in(client).start('order', { id: 'o', variables: { total: 8 } })),
    ).rejects.toMatchObject({ code: 'execution_exists' })
  })

  it('the same start twice in one transaction is one execution', async () => {
    const pawl = await open()
    await bed.transact(async (client) => {
      const inside = pawl.in(client)
      expect((await inside.start(order, { id: 'o', variables })).isNew).toBe(true)
      expect((await inside.start(order, { id: 'o', variables })).isNew).toBe(false)
    })
    await settle(pawl)
    expect(job.calls).toHaveLength(1)
  })
})
