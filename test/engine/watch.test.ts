import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine, type Pawl, permanent } from '../../src/index.ts'
import { onEachShared } from './bed.ts'
import { settle, spy } from './spies.ts'

const job = spy('job', ({ config }) => {
  if (config === 'dead') throw permanent('not_found', 'gone')
  return null
})
const flow = machine({
  id: 'flow',
  variables: z.object({ n: z.number().default(0) }),
  events: { go: z.object({ n: z.number() }) },
  uses: [job],
  initial: 'a',
  states: { a: { on: { go: { internal: true, set: ({ event }) => ({ n: event.payload.n }) } } } },
})

const LIMIT = AbortSignal.timeout

/** The next facts, as many as asked for. */
const take = async (pawl: Pawl, count: number, options: Parameters<Pawl['watch']>[0] = {}) => {
  const rows = []
  for await (const row of pawl.watch({ signal: LIMIT(100_000), ...options })) {
    rows.push(row)
    if (rows.length === count) break
  }
  return rows
}

onEachShared('watch', (bed) => {
  const begin = async (count: number) => {
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    for (let index = 0; index < count; index++) await pawl.start(flow, { id: `f${index}`, variables: {} })
    return pawl
  }

  it('from the beginning: every fact, in the order of its commit', async () => {
    const pawl = await begin(3)
    await pawl.send('f1', 'go', { n: 1 })
    const rows = await take(pawl, 4)
    expect(rows.map(({ execution, type }) => [execution, type])).toEqual([
      ['f0', 'execution.transitioned'],
      ['f1', 'execution.transitioned'],
      ['f2', 'execution.transitioned'],
      ['f1', 'execution.updated'],
    ])
  })

  it('from a cursor: what came after it, without loss and without repetition', async () => {
    const pawl = await begin(6)
    const first = await take(pawl, 2)
    const rest = await take(pawl, 4, { after: first[1]!.cursor })
    expect([...first, ...rest].map(({ execution }) => execution)).toEqual([
      'f0',
      'f1',
      'f2',
      'f3',
      'f4',
      'f5',
    ])
  })

  it('by execution', async () => {
    const pawl = await begin(3)
    for (const id of ['f0', 'f1', 'f2', 'f1']) await pawl.send(id, 'go', { n: 1 })
    const rows = await take(pawl, 3, { execution: 'f1' })
    expect(new Set(rows.map(({ execution }) => execution))).toEqual(new Set(['f1']))
  })

  it('follows: what is committed while it waits arrives', async () => {
    const pawl = await begin(1)
    const following = take(pawl, 300)
    for (let n = 0; n < 299; n++) await pawl.send('f0', 'go', { n })
    const rows = await following
    expect(rows).toHaveLength(300)
    expect(new Set(rows.map(({ cursor }) => cursor)).size).toBe(300)
  })

  it('what another process commits arrives too', async () => {
    const pawl = await begin(0)
    const other = await bed.open({ definitions: [flow] })
    const following = take(pawl, 1)
    await other.start(flow, { id: 'g', variables: {} })
    expect((await following)[0]).toMatchObject({ execution: 'g' })
  })

  it('a dead letter of no execution is told too', async () => {
    const pawl = await begin(0)
    const { id } = await pawl.dispatch(job('dead'))
    await settle(pawl)
    const [row] = await take(pawl, 1)
    expect(row).toMatchObject({ type: 'action.dead', data: { action: id, error: { type: 'not_found' } } })
  })

  it('an abort ends it, before, during and after', async () => {
    const pawl = await begin(1)
    expect(await take(pawl, 5, { signal: AbortSignal.abort() })).toEqual([])
    const controller = new AbortController()
    const following = take(pawl, 5, { signal: controller.signal })
    await take(pawl, 1)
    controller.abort()
    expect((await following).length).toBeLessThanOrEqual(1)
  })

  it('a cursor that was made up is refused', async () => {
    const pawl = await begin(1)
    await expect(take(pawl, 1, { after: 'yesterday' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('another tenant’s facts are not there', async () => {
    const pawl = await begin(2)
    await pawl.tenant('theirs').start(flow, { id: 'theirs', variables: {} })
    const [row] = await take(pawl.tenant('theirs'), 1)
    expect(row).toMatchObject({ execution: 'theirs' })
    expect((await take(pawl, 2)).map(({ execution }) => execution)).toEqual(['f0', 'f1'])
  })
})
