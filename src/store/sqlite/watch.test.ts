import { expect, it } from 'vitest'
import { claimAll, open, tempFile } from '../../../test/sqlite/bed.ts'
import { action, advance, NOW, settled } from '../../../test/sqlite/members.ts'
import type { Wake } from '../store.ts'

it('listeners hear of this process’s own commits at once: lanes, timers, events', async () => {
  const bed = await open()
  const heard: Wake[] = []
  const stop = bed.store.wake((wake) => heard.push(wake))
  await bed.commit({ enqueue: [action('act_1'), action('act_2', { priority: 90 })] })
  const timers = [{ key: 't', dueAt: NOW, event: { id: 't@', type: 'timer.fired', payload: {}, at: NOW } }]
  await bed.commit({ advance: advance('l', { timers }) })
  await bed.commit({ deliver: [{ execution: 'l', event: { id: 'e', type: 'x', payload: {}, at: NOW } }] })
  const [claim] = await claimAll(bed)
  await bed.commit({ settle: [settled(claim!, { status: 'queued', outcome: 'lost', dueAt: NOW })] })
  await bed.commit({ control: [{ kind: 'pause', scope: 'execution', value: 'l', reason: '' }] })
  await bed.commit({ control: [{ kind: 'resume', scope: 'execution', value: 'l' }] })
  expect(heard).toEqual([
    { lanes: [1, 2], timers: false, inbox: false },
    { lanes: [], timers: true, inbox: false },
    { lanes: [], timers: false, inbox: true },
    { lanes: [1], timers: false, inbox: false },
    { lanes: [1, 2], timers: true, inbox: true },
  ])
  stop()
  await bed.commit({ enqueue: [action('act_3')] })
  expect(heard).toHaveLength(5)
})

it('and of other processes’ with the next look at the file', async () => {
  const file = tempFile()
  const [mine, theirs] = [await open({ file }), await open({ file })]
  const heard: Wake[] = []
  mine.store.wake((wake) => heard.push(wake))
  mine.timers.tick()
  heard.length = 0
  mine.timers.tick()
  expect(heard).toEqual([])
  await theirs.commit({ enqueue: [action('act_1')] })
  mine.timers.tick()
  expect(heard).toEqual([{ lanes: [1], timers: true, inbox: true }])
  mine.timers.tick()
  expect(heard).toHaveLength(1)
})

it('a listener that throws is reported, and harms neither the commit nor the others', async () => {
  const bed = await open()
  const heard: Wake[] = []
  bed.store.wake(() => {
    throw new Error('no ears')
  })
  bed.store.wake((wake) => heard.push(wake))
  expect((await bed.commit({ enqueue: [action('act_1')] })).status).toBe('ok')
  expect(heard).toHaveLength(1)
  expect(bed.warnings).toEqual([expect.stringContaining('no ears')])
})

it('nothing is heard, or looked at, after close', async () => {
  const bed = await open()
  bed.store.wake(() => undefined)
  await bed.store.close()
  expect(() => bed.timers.tick()).not.toThrow()
  expect(bed.warnings).toEqual([])
})
