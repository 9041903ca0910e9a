// Processes that know different things share one store: one takes events in, one decides, one performs.

import { describe, expect, it } from 'vitest'
import { makeBed, STORES, transitionsTo, until } from './bed.ts'

describe.each(STORES)('a server, an app and a runner, on %s', (store) => {
  it.each([
    { written: 'in code', definition: 'order, mended', id: 'order' },
    { written: 'as data', definition: 'lease', id: 'lease' },
  ])('a machine $written walks to its end: nobody knows everything', async ({ written, definition, id }) => {
    const { receiver, child, pawl, history, report } = await makeBed(store)
    const app = await child({ definitions: [definition], work: {} })
    const server = await child()
    const performer = await child({ runners: ['hook'], work: {} })
    const variables = { url: receiver.url, landlord: 'ada', stalls: false }
    const events = id === 'order' ? ['paid', 'closed'] : ['notice.received']

    expect(await server.ask({ verb: 'start', definition: id, id: 'x_1', variables })).toBe(true)
    expect(await server.ask({ verb: 'start', definition: id, id: 'x_1', variables })).toBe(false)
    for (const [index, type] of events.entries()) {
      if (index > 0)
        await until(async () => expect((await pawl.executions.get('x_1'))!.state).toBe('shipped'))
      const event = { verb: 'send', execution: 'x_1', type, id: `e_${index}` } as const
      expect(await server.ask(event)).toMatchObject({ duplicate: false })
      expect(await server.ask(event)).toMatchObject({ duplicate: true })
    }
    await until(async () => expect((await pawl.executions.get('x_1'))!.status).toBe('completed'))

    expect(receiver.calls).toHaveLength(1)
    const lines = await history('x_1')
    expect(transitionsTo(lines, id === 'order' ? 'done' : 'terminated')).toBe(1)
    const pids = new Set([server.pid, app.pid, performer.pid, process.pid])
    report(`${written}: ${pids.size} processes, ${lines.length} lines, ${receiver.calls.length} call`)
  })

  it('an execution of a pinned machine may be started where its code is not', async () => {
    const { child, pawl, report } = await makeBed(store)
    await child({ definitions: ['pinned walk 1'], work: {} })
    const server = await child()
    await server.ask({ verb: 'start', definition: 'pinned-walk', id: 'x_1', variables: {} })
    await server.ask({ verb: 'send', execution: 'x_1', type: 'go', id: 'e_1' })
    await until(async () => expect((await pawl.executions.get('x_1'))!.state).toBe('b'))
    report('a pinned machine started from a server moves')
  })
})
