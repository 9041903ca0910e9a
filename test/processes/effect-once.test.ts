// A process dies, or its code throws, around an effect that has happened: the effect is sent again only under the same
// key with the same bytes, and what came of it is applied once.

import { describe, expect, it } from 'vitest'
import { makeBed, STORES, transitionsTo, until } from './bed.ts'
import { createGate } from './receiver.ts'

/** Their leases end when the test says so: a machine that holds a worker up for a second is no crash. */
const APP = { definitions: ['lease'], runners: ['hook'], work: {} }
const LEASE = { landlord: 'ada', stalls: false }

describe.each(STORES)('an effect, on %s', (store) => {
  it('the lease in JSON ends: one call, one transition', async () => {
    const { pawl, receiver, child, history, report } = await makeBed(store)
    await child(APP)
    const run = await pawl.start('lease', { id: 'l_1', variables: { ...LEASE, url: receiver.url } })
    await pawl.send(run.id, 'notice.received')
    await until(async () => expect((await run.get()).status).toBe('completed'))

    expect(receiver.calls).toHaveLength(1)
    const [call] = receiver.calls
    expect(call).toMatchObject({ method: 'POST', path: '/notice', key: expect.stringMatching(/^key_/) })
    expect(JSON.parse(String(call!.body))).toEqual({ to: 'ada', on: expect.any(String) })
    const lines = await history(run.id)
    expect(transitionsTo(lines, 'terminated')).toBe(1)
    report(`lease in JSON: ${receiver.calls.length} call, history of ${lines.length}, chain whole`)
  })

  it.each([
    { instant: 'before its answer arrived', stalls: false },
    { instant: 'after its answer arrived, before it was settled', stalls: true },
  ])(
    'F05 F06: killed $instant: two calls, one key, same bytes, one transition',
    async ({ instant, stalls }) => {
      const { pawl, reader, receiver, child, expire, history, report } = await makeBed(store)
      const gate = createGate()
      if (!stalls) receiver.answer(gate.answer)
      const first = await child(APP)
      const variables = { ...LEASE, url: receiver.url, stalls }
      const run = await pawl.start('lease', { id: 'l_1', variables })
      await pawl.send(run.id, 'notice.received')
      if (stalls) await first.told('answered')
      else await until(() => expect(gate.waiting()).toBe(1))
      expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      expect((await run.get()).state).toBe('notice_received')
      await expire()

      receiver.answer(({ order }) => ({ status: 200, json: { id: `msg_${order}` } }))
      await child(APP)
      await until(async () => expect((await run.get()).status).toBe('completed'))

      const [one, two, ...more] = receiver.calls
      expect(more).toEqual([])
      expect(two!.key).toBe(one!.key)
      expect(two!.body.equals(one!.body)).toBe(true)
      expect(receiver.effects()).toBe(1)
      const lines = await history(run.id)
      expect(transitionsTo(lines, 'notice_received')).toBe(1)
      expect(transitionsTo(lines, 'terminated')).toBe(1)
      const { data } = await reader.actions({ namespace: 'default', tenant: 'default' }, {}, { limit: 9 })
      expect(data).toMatchObject([{ status: 'succeeded', attempt: 2, lost: 1, reaps: 1 }])
      report(`SIGKILL ${instant}: ${receiver.calls.length} calls, ${receiver.effects()} key, same bytes`)
    },
  )

  it('F09: the decider throws after the effect: failed, one call; mended code and resume go on', async () => {
    const { pawl, receiver, child, history, report } = await makeBed(store)
    const work = { runners: ['hook'], work: {} }
    const broken = await child({ ...work, definitions: ['order, broken'] })
    const run = await pawl.start('order', { id: 'o_1', variables: { url: receiver.url } })
    await pawl.send(run.id, 'paid')
    await until(async () => expect((await run.get()).status).toBe('failed'))
    expect(await run.get()).toMatchObject({ state: 'shipping', error: { code: 'decide_failed' } })
    expect(await pawl.counts()).toMatchObject({ actions: { succeeded: 1, queued: 0, running: 0 } })
    // Kept, not lost, while the code is wrong.
    expect(await pawl.send(run.id, 'closed', {}, { id: 'closed' })).toMatchObject({ applied: false })
    await broken.end('SIGKILL')

    const mended = await child({ ...work, definitions: ['order, mended'] })
    await mended.ask({ verb: 'resume', execution: run.id })
    await until(async () => expect((await run.get()).status).toBe('completed'))
    expect(receiver.calls).toHaveLength(1)
    const lines = await history(run.id)
    expect(lines.map(({ type }) => type)).toContain('execution.failed')
    expect(transitionsTo(lines, 'shipped')).toBe(1)
    report(`a decider that throws: ${receiver.calls.length} call, then resumed to ${(await run.get()).state}`)
  })

  it('F09: a resume by another process is seen by the one that failed', async () => {
    const { pawl, receiver, child, report } = await makeBed(store)
    const only = await child({ definitions: ['order, broken until told'], runners: ['hook'], work: {} })
    const run = await pawl.start('order', { id: 'o_1', variables: { url: receiver.url } })
    await pawl.send(run.id, 'paid')
    await until(async () => expect((await run.get()).status).toBe('failed'))
    await only.ask({ verb: 'mend' })
    await pawl.executions.resume(run.id)
    await until(async () => expect((await run.get()).state).toBe('shipped'))
    expect(receiver.calls).toHaveLength(1)
    report(`resumed from outside: ${receiver.calls.length} call`)
  })
})
