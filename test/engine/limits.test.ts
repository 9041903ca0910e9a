import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine } from '../../src/index.ts'
import { onEachStore } from './bed.ts'
import { gate, only, settle, spy } from './spies.ts'

const LARGE = 'x'.repeat(200_000)

onEachStore('what is large or strange', (bed) => {
  const listener = (act: () => unknown) => {
    const job = spy('job', act, { event: 'did' })
    const flow = machine({
      id: 'flow',
      variables: z.object({ one: z.string().default(''), two: z.string().default('') }),
      events: { one: z.object({ text: z.string() }), two: z.object({ text: z.string() }) },
      uses: [job],
      initial: 'a',
      states: {
        a: {
          enter: () => job({}),
          on: {
            did: 'b',
            one: { internal: true, set: ({ event }) => ({ one: event.payload.text }) },
            two: { internal: true, set: ({ event }) => ({ two: event.payload.text }) },
          },
        },
        b: {},
      },
    })
    return { job, flow }
  }

  it.each([
    ['one that is larger than a payload may be', () => LARGE.repeat(3)],
    ['one of many small parts', () => Array.from({ length: 50_000 }, (_, n) => ({ n }))],
    ['text with NUL and half characters', () => ({ text: 'a\u0000b\ud800c', '\u0000': 1 })],
    ['a deep one', () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
    ['__proto__', () => JSON.parse('{"__proto__": {"admin": true}}')],
    ['nothing at all', () => undefined],
  ])('KERNEL §3: a result, %s: the effect is settled once, the machine goes on', async (_, act) => {
    const { job, flow } = listener(act)
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    await pawl.start(flow, { id: 'f', variables: {} })
    await pawl.advance({ by: '1d' })
    expect(job.calls).toHaveLength(1)
    expect(['succeeded', 'dead']).toContain((await only(pawl)).status)
    expect(bed.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('KERNEL §3: a large result of a paused execution waits, and is not sent again', async () => {
    const { pass, reached, open } = gate()
    const { job, flow } = listener(() => pass().then(() => LARGE.repeat(3)))
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    await pawl.start(flow, { id: 'f', variables: {} })
    const settled = settle(pawl)
    await reached
    await pawl.executions.pause('f')
    open()
    await settled
    expect((await only(pawl)).status).toBe('succeeded')
    await pawl.executions.resume('f')
    await settle(pawl)
    expect((await pawl.executions.get('f'))!.state).toBe('b')
    expect(job.calls).toHaveLength(1)
  })

  it('KERNEL §2: variables do not grow beyond their limit, and say so', async () => {
    const { job, flow } = listener(() => null)
    const pawl = await bed.open({ definitions: [flow] })
    await pawl.start(flow, { id: 'f', variables: {} })
    expect(await pawl.send('f', 'one', { text: LARGE })).toMatchObject({ applied: true })
    await pawl.send('f', 'two', { text: LARGE })
    const { status, error, variables } = (await pawl.executions.get('f'))!
    expect(variables['two']).toBe('')
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'decide_failed' })
    expect(error!.message).toMatch(/variables/)
    expect(job.calls).toEqual([])
  })

  it('a patch beyond the limit is the caller’s error, and changes nothing', async () => {
    const { flow } = listener(() => null)
    const pawl = await bed.open({ definitions: [flow] })
    await pawl.start(flow, { id: 'f', variables: {} })
    await pawl.executions.patch('f', { one: LARGE })
    await expect(pawl.executions.patch('f', { two: LARGE })).rejects.toMatchObject({
      code: expect.stringMatching(/payload_too_large|variables_invalid/),
    })
    expect(await pawl.executions.get('f')).toMatchObject({ status: 'active', variables: { two: '' } })
  })

  it('a config that is too large is refused when it is dispatched', async () => {
    const { job } = listener(() => null)
    const pawl = await bed.open({ runners: [job] })
    const ask = async () => pawl.dispatch(job(LARGE.repeat(2)))
    await expect(ask()).rejects.toMatchObject({ code: 'payload_too_large' })
  })
})
