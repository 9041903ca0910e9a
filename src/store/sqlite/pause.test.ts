import { expect, it } from 'vitest'
import { type Bed, claimAll, open } from '../../../test/sqlite/bed.ts'
import { action, advance, execution, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import type { PauseScope } from '../store.ts'

const timer = (key: string) => ({
  key,
  dueAt: NOW,
  event: { id: `${key}@`, type: 'timer.fired', payload: {}, at: NOW, timer: key },
})
const event = (id: string) => ({ id, type: 'x', payload: {}, at: NOW })

const start = (bed: Bed, id: string, definition = 'lease') =>
  bed.commit({
    advance: advance(id, {
      execution: execution(id, { definition }),
      actions: [action(`act_${id}`)],
      timers: [timer('t')],
    }),
    deliver: [{ execution: id, event: event('e') }],
  })

const pause = (bed: Bed, scope: PauseScope, value: string) =>
  bed.commit({ control: [{ kind: 'pause', scope, value, reason: 'quiet' }] })
const resume = (bed: Bed, scope: PauseScope, value: string) =>
  bed.commit({ control: [{ kind: 'resume', scope, value }] })

/** What would be done next, by name. */
const offered = async (bed: Bed) => ({
  lanes: (await bed.store.heads({ now: NOW })).map(
    ({ type, due, paused }) => `${type} ${due}${paused ? ' paused' : ''}`,
  ),
  timers: (await bed.store.dueTimers(9, { now: NOW })).map((due) => due.execution),
  inbox: (await bed.store.inbox(['lease', 'rent'], 9)).map((waiting) => waiting.execution),
})
const NOTHING = { lanes: [], timers: [], inbox: [] }
const ALL = { lanes: ['notify 1'], timers: ['l'], inbox: ['l'] }

it('a paused execution offers nothing, and comes back as it was', async () => {
  const bed = await open()
  await start(bed, 'l')
  expect(await offered(bed)).toEqual(ALL)
  expect((await pause(bed, 'execution', 'l')).status).toBe('ok')
  expect(await offered(bed)).toEqual(NOTHING)
  expect((await bed.reader.action(OF, 'act_l'))!.hold).toBe('paused:execution')
  expect((await bed.reader.actions(OF, {}, { limit: 9 })).data).toHaveLength(1)
  expect((await bed.reader.execution(OF, 'l'))!).toMatchObject({
    revision: 2,
    execution: { status: 'paused' },
  })
  expect((await bed.reader.counts(OF)).executions).toMatchObject({ active: 0, paused: 1 })
  expect((await pause(bed, 'execution', 'l')).status).toBe('conflict')
  expect((await pause(bed, 'execution', 'nobody')).status).toBe('conflict')
  expect((await resume(bed, 'execution', 'l')).status).toBe('ok')
  expect(await offered(bed)).toEqual(ALL)
  expect((await bed.reader.action(OF, 'act_l'))!.hold).toBeUndefined()
  expect((await bed.reader.execution(OF, 'l'))!.execution.status).toBe('active')
  expect((await resume(bed, 'execution', 'l')).status).toBe('conflict')
})

it('a decision made before the pause conflicts; what runs comes back parked; what arrives is held', async () => {
  const bed = await open()
  const first = await start(bed, 'l')
  const [claim] = await claimAll(bed)
  await pause(bed, 'execution', 'l')
  expect((await bed.commit({ advance: advance('l', { expected: 1, chain: first.chain! }) })).status).toBe(
    'conflict',
  )
  await bed.commit({
    settle: [settled(claim!, { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW })],
  })
  await bed.commit({ deliver: [{ execution: 'l', event: event('e2') }] })
  const paused = advance('l', {
    execution: execution('l', { status: 'paused' }),
    expected: 2,
    chain: first.chain!,
    actions: [action('act_2')],
    timers: [timer('t2')],
  })
  expect((await bed.commit({ advance: paused })).status).toBe('ok')
  expect(await offered(bed)).toEqual(NOTHING)
  await resume(bed, 'execution', 'l')
  expect(await offered(bed)).toEqual({ lanes: ['notify 2'], timers: ['l', 'l'], inbox: ['l', 'l'] })
})

it('a paused definition stops all its executions, also those that start meanwhile, and no others', async () => {
  const bed = await open()
  await start(bed, 'a')
  await start(bed, 'b')
  await start(bed, 'r', 'rent')
  await pause(bed, 'execution', 'b')
  expect((await pause(bed, 'definition', 'lease')).status).toBe('ok')
  await start(bed, 'c')
  expect(await offered(bed)).toEqual({ lanes: ['notify 1'], timers: ['r'], inbox: ['r'] })
  expect((await bed.reader.action(OF, 'act_c'))!.hold).toBe('paused:definition')
  expect((await bed.reader.counts(OF)).executions).toMatchObject({ active: 1, paused: 3 })
  expect((await resume(bed, 'execution', 'b')).status).toBe('ok')
  expect((await bed.reader.execution(OF, 'b'))!.execution.status).toBe('paused')
  await pause(bed, 'execution', 'b')
  expect((await resume(bed, 'definition', 'lease')).status).toBe('ok')
  expect(await offered(bed)).toEqual({ lanes: ['notify 3'], timers: ['a', 'c', 'r'], inbox: ['a', 'r', 'c'] })
  expect((await bed.reader.counts(OF)).executions).toMatchObject({ active: 3, paused: 1 })
})

it('a paused type or tenant closes its lanes, pinned ones too, and nobody else’s', async () => {
  const bed = await open()
  await bed.commit({
    enqueue: [action('act_1'), action('act_2', { runner: 'eu' }), action('act_3', { type: 'notify2' })],
  })
  await bed.commit({ tenant: 'globex', enqueue: [action('act_4')] })
  await pause(bed, 'type', 'notify')
  expect((await offered(bed)).lanes).toEqual([
    'notify 1 paused',
    'notify@eu 1 paused',
    'notify2 1',
    'notify 1',
  ])
  expect(await bed.reader.pauses(OF)).toEqual([{ scope: 'type', value: 'notify', reason: 'quiet', at: NOW }])
  expect(await bed.reader.pauses({ ...OF, tenant: 'globex' })).toEqual([])
  await resume(bed, 'type', 'notify')
  await pause(bed, 'tenant', 'acme')
  expect((await offered(bed)).lanes.map((text) => text.includes('paused'))).toEqual([true, true, true, false])
})

it('an advance that ends a paused execution lets its actions go', async () => {
  const bed = await open()
  const first = await start(bed, 'l')
  await pause(bed, 'execution', 'l')
  const ended = execution('l', { status: 'cancelled' })
  await bed.commit({ advance: advance('l', { execution: ended, expected: 2, chain: first.chain! }) })
  expect((await offered(bed)).lanes).toEqual(['notify 1'])
  expect((await bed.reader.counts(OF)).executions).toMatchObject({ active: 0, paused: 0, cancelled: 1 })
})
