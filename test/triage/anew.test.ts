// Replaying one action, or many, as they were or made anew: which key, which execution, what becomes of the old one.

import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine, permanent, runner } from '../../src/index.ts'
import { onEachStore } from '../engine/bed.ts'
import { settle } from '../engine/spies.ts'
import { bury, healthy } from './bed.ts'

onEachStore('replay of an action', (bed) => {
  it('KERNEL §9: as it was, it is another attempt of the same action under the same key', async () => {
    const { pawl, mail, ids, state } = await bury(bed, 1)
    state.fails = healthy
    expect(await pawl.actions.replay(ids[0]!)).toMatchObject({ id: ids[0], status: 'queued' })
    await settle(pawl)
    expect(await pawl.actions.get(ids[0]!)).toMatchObject({ status: 'succeeded', attempt: 2 })
    expect(mail.calls[1]!.key).toBe(mail.calls[0]!.key)
  })

  it('KERNEL §9: with another config it is a new action, linked, with a key of its own; the old one is put away', async () => {
    const { pawl, mail, ids, state } = await bury(bed, 1)
    state.fails = healthy
    const anew = await pawl.actions.replay(ids[0]!, { config: { index: 7 } })
    expect(anew).toMatchObject({ status: 'queued', config: { index: 7 }, metadata: { replayOf: ids[0] } })
    expect(anew.id).not.toBe(ids[0])
    await settle(pawl)
    expect(mail.calls[1]).toMatchObject({ config: { index: 7 }, attempt: 1 })
    expect(mail.calls[1]!.key).not.toBe(mail.calls[0]!.key)
    expect(await pawl.actions.get(ids[0]!)).toMatchObject({ status: 'dead', archivedAt: expect.any(String) })
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('what ended well can be done once more, as a new action', async () => {
    const { pawl, mail, state } = await bury(bed, 0)
    state.fails = healthy
    const { id } = await pawl.dispatch(mail({ index: 1 }))
    await settle(pawl)
    const anew = await pawl.actions.replay(id)
    await settle(pawl)
    expect(await pawl.actions.get(anew.id)).toMatchObject({ status: 'succeeded', metadata: { replayOf: id } })
  })

  it('what has not ended, or is not there, is refused', async () => {
    const { pawl, mail } = await bury(bed, 0)
    const { id } = await pawl.dispatch(mail({ index: 1 }, { delay: '1d' }))
    await expect(pawl.actions.replay(id, { config: 1 })).rejects.toMatchObject({ code: 'action_conflict' })
    await expect(pawl.actions.replay('act_x')).rejects.toMatchObject({ code: 'action_not_found' })
  })

  it('an edited config is checked by its runner, and nothing is changed when it does not fit', async () => {
    const ring = runner({
      type: 'ring',
      config: z.object({ to: z.string() }),
      execute: () => {
        throw permanent('not_found', 'no such number')
      },
    })
    const pawl = await bed.open({ runners: [ring] })
    const { id } = await pawl.dispatch(ring({ to: '1' }))
    await settle(pawl)
    await expect(pawl.actions.replay(id, { config: { to: 5 } })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { path: 'config.to' },
    })
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'dead', config: { to: '1' } })
    const anew = await pawl.actions.replay(id, { config: { to: '{{now}}' } })
    expect(anew.config).toEqual({ to: '{{now}}' })
  })

  it('of an execution’s action the new one belongs to it: the machine hears of its result', async () => {
    const state = { isDown: true }
    const notify = runner({
      type: 'notify',
      config: z.object({ to: z.string() }),
      event: 'notified',
      execute: () => {
        if (state.isDown) throw permanent('not_found', 'nobody')
        return null
      },
    })
    const lease = machine({
      id: 'lease',
      events: {},
      uses: [notify],
      initial: 'open',
      states: {
        open: { enter: () => notify({ to: 'ada' }), on: { notified: 'told' } },
        told: { final: true },
      },
    })
    const pawl = await bed.open({ runners: [notify], definitions: [lease] })
    await pawl.start(lease, { id: 'l_1' })
    await settle(pawl)
    const [dead] = (await pawl.actions.list({ status: 'dead' })).data
    state.isDown = false
    const anew = await pawl.actions.replay(dead!.id, { config: { to: 'bob' } })
    expect(anew).toMatchObject({ executionId: 'l_1' })
    await settle(pawl)
    expect(await pawl.executions.get('l_1')).toMatchObject({ status: 'completed', state: 'told' })
    const history = (await pawl.executions.history('l_1')).data
    expect(history.find(({ type }) => type === 'action.replayed')?.data).toMatchObject({ replayOf: dead!.id })
    expect((await pawl.verify()).findings).toEqual([])
  })
})

onEachStore('bulk replay, made anew', (bed) => {
  it('a patch is laid over each config; each is a new action, the old ones are put away', async () => {
    const { pawl, mail, state } = await bury(bed, 5)
    state.fails = healthy
    const bulk = await pawl.bulk.replay({ patch: { from: 'ops', index: null } })
    await settle(pawl)
    expect(await pawl.bulk.get((bulk as { id: string }).id)).toMatchObject({
      status: 'completed',
      sent: 5,
      succeeded: 5,
    })
    expect(mail.calls.slice(5).map(({ config }) => config)).toEqual(Array(5).fill({ from: 'ops' }))
    expect(new Set(mail.calls.map(({ key }) => key)).size).toBe(10)
    expect(await pawl.counts()).toMatchObject({ archived: 5, actions: { dead: 0, succeeded: 5 } })
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('asNew: the same config under keys of their own', async () => {
    const { pawl, mail, state } = await bury(bed, 2)
    state.fails = healthy
    await pawl.bulk.replay({ asNew: true })
    await settle(pawl)
    expect(new Set(mail.calls.map(({ key }) => key)).size).toBe(4)
  })

  it('one whose patched config does not fit fails, stays dead, and is listed', async () => {
    const ring = runner({
      type: 'ring',
      config: z.object({ to: z.string().max(3), from: z.string().optional() }),
      execute: () => {
        throw permanent('not_found', 'no such number')
      },
    })
    const pawl = await bed.open({ runners: [ring] })
    await pawl.dispatch(ring({ to: '1' }))
    await settle(pawl)
    const { id } = (await pawl.bulk.replay({ patch: { to: 'too long' } })) as { readonly id: string }
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({ status: 'completed', sent: 1, failed: 1 })
    expect((await pawl.bulk.failures(id)).data).toMatchObject([{ error: { type: 'invalid_configuration' } }])
    expect((await pawl.counts()).actions.dead).toBe(1)
  })
})
