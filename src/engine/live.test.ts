import { expect, it } from 'vitest'
import type { WorkerRow } from '../store/workers.ts'
import { realClock } from './clock.ts'
import { createLive } from './live.ts'

const worker = (id: string, definitions: readonly string[]): WorkerRow => ({
  id,
  definitions,
  startedAt: 0,
  seenAt: 0,
  slots: 1,
  types: [],
  version: '1',
  host: 'h',
})

const bed = () => {
  const rows: WorkerRow[] = []
  let reads = 0
  const live = createLive(
    {
      beat: async () => undefined,
      list: async () => {
        reads += 1
        return [...rows]
      },
      remove: async () => undefined,
    },
    () => worker('self', []),
    // It stands still: whatever is remembered stays fresh.
    { ...realClock, monotonic: () => 1 },
  )
  return { rows, live, reads: () => reads }
}

it('F38 D1: a process that has just begun is seen, however fresh the memory is that it was not there', async () => {
  const { rows, live } = bed()
  expect(await live.knows('walk', 'two')).toBe(false)
  rows.push(worker('young', ['walk@two']))
  expect(await live.knows('walk', 'two')).toBe(true)
})

it('a yes is remembered, so that a rolling deploy does not ask the store for every event', async () => {
  const { rows, live, reads } = bed()
  rows.push(worker('young', ['walk@two']))
  await live.knows('walk', 'two')
  await live.knows('walk', 'two')
  expect(reads()).toBe(1)
})
