import { describe, expect, it } from 'vitest'
import type { ActionPlan } from './action.ts'
import { planAction } from './action-plan.ts'
import { gatherInto, gatheringPlan, isFullAlone } from './gathering.ts'
import type { Json } from './json.ts'
import { scopeOf } from './template/scope.ts'

const NOW = 1_800_000_000_000
const plan = (config: Json, over: Partial<ActionPlan> = {}): ActionPlan => ({
  ...planAction(
    { type: 'send', config, options: {}, literal: true },
    { source: 'direct', stepKey: 'k', name: 'send', scope: () => scopeOf({ now: NOW }), now: NOW },
  ),
  ...over,
})
const waiting = (of: ActionPlan, createdAt = NOW) => ({ plan: of, dueAt: of.dueAt, createdAt })

describe('debounce', () => {
  const debounced = (config: Json, maxWait?: string) =>
    gatheringPlan(plan(config), { debounce: { key: 'k', wait: '1m', ...(maxWait && { maxWait }) } }, NOW)

  it('waits, under a key of its type', () => {
    expect(debounced(1)).toMatchObject({
      dueAt: NOW + 60_000,
      dedup: { key: 'debounce/send/k' },
      gather: { kind: 'debounce', waitMs: 60_000 },
    })
    expect(debounced(1, '5m').gather).toMatchObject({ maxWaitMs: 300_000 })
    expect(isFullAlone(debounced(1))).toBe(false)
    expect(isFullAlone(plan(1))).toBe(false)
  })

  it('what it does is what the last one says; its name and key stay', () => {
    const first = { ...debounced(1), summary: 'one', stepKey: 'first' }
    const more = { ...debounced(2), tags: ['t'], metadata: { m: 1 } }
    const gathered = gatherInto(waiting(first), more, NOW + 10_000)!
    expect(gathered).toMatchObject({ dueAt: NOW + 70_000, isFull: false })
    expect(gathered.plan).toMatchObject({
      config: 2,
      tags: ['t'],
      metadata: { m: 1 },
      stepKey: 'first',
      dueAt: NOW + 70_000,
    })
    expect(gathered.plan).not.toHaveProperty('summary')
    expect(gatherInto(waiting(first), { ...more, summary: 'two' }, NOW)!.plan.summary).toBe('two')
  })

  it('at the latest so long after the first', () => {
    const more = debounced(2, '90s')
    expect(gatherInto(waiting(debounced(1)), more, NOW + 29_000)!.dueAt).toBe(NOW + 89_000)
    expect(gatherInto(waiting(debounced(1)), more, NOW + 59_000)!.dueAt).toBe(NOW + 90_000)
  })
})

describe('batching', () => {
  const batched = (items: readonly Json[], size = 3, more: { readonly [key: string]: Json } = {}) =>
    gatheringPlan(plan({ ...more, items }), { batch: { key: 'k', size, wait: '1m' } }, NOW)

  it('waits for others, unless it is full alone', () => {
    expect(batched([1])).toMatchObject({
      dueAt: NOW + 60_000,
      dedup: { key: 'batch/send/k' },
      gather: { kind: 'batch', size: 3, waitMs: 60_000 },
    })
    expect(isFullAlone(batched([1, 2]))).toBe(false)
    expect(batched([1, 2, 3]).dueAt).toBe(NOW)
    expect(isFullAlone(batched([1, 2, 3]))).toBe(true)
  })

  it('joins the items in order; the rest is the last one’s; the due time is the first’s', () => {
    const gathered = gatherInto(
      waiting(batched([1], 3, { table: 'a' })),
      batched([2], 3, { table: 'b' }),
      NOW + 9,
    )
    expect(gathered).toMatchObject({ dueAt: NOW + 60_000, isFull: false })
    expect(gathered!.plan.config).toEqual({ items: [1, 2], table: 'b' })
  })

  it('full, it is due at once', () => {
    const gathered = gatherInto(waiting(batched([1, 2])), batched([3]), NOW + 9)
    expect(gathered).toMatchObject({ dueAt: NOW + 9, isFull: true })
    expect(gathered!.plan.dueAt).toBe(NOW + 9)
  })

  it('what would be too many, or too large, stays apart', () => {
    expect(gatherInto(waiting(batched([1, 2])), batched([3, 4]), NOW)).toBeUndefined()
    const large = 'x'.repeat(200_000)
    expect(gatherInto(waiting(batched([large])), batched([large]), NOW)).toBeUndefined()
  })

  it('one whose list was taken from it is joined as if it were empty', () => {
    const odd = { ...batched([1]), config: {} }
    expect(gatherInto(waiting(odd), batched([2]), NOW)!.plan.config).toEqual({ items: [2] })
  })
})

const secrets = [{ pointer: '/a', start: 0, end: 1, name: 's' }]

it.each<[Json, Partial<ActionPlan>, Parameters<typeof gatheringPlan>[1], string]>([
  [1, {}, { debounce: { key: '', wait: 1 } }, 'debounce.key'],
  [1, {}, { debounce: { key: 'x'.repeat(201), wait: 1 } }, 'debounce.key'],
  [1, {}, { debounce: { key: 5 as never, wait: 1 } }, 'debounce.key'],
  [1, {}, { debounce: { key: 'k', wait: 'x' } }, 'debounce.wait'],
  [1, {}, { debounce: { key: 'k', wait: 2, maxWait: 1 } }, 'debounce.maxWait'],
  [1, { dedup: { key: 'd' } }, { debounce: { key: 'k', wait: 1 } }, 'dedup'],
  [1, {}, { debounce: { key: 'k', wait: 1 }, batch: { key: 'k', wait: 1, size: 1 } }, 'batch'],
  [{ items: [] }, {}, { batch: { key: 'k', wait: 1, size: 0 } }, 'batch.size'],
  [{ items: [] }, {}, { batch: { key: 'k', wait: 1, size: 1.5 } }, 'batch.size'],
  [{ items: [] }, {}, { batch: { key: 'k', wait: 1, size: 10_001 } }, 'batch.size'],
  [{ items: 1 }, {}, { batch: { key: 'k', wait: 1, size: 1 } }, 'config.items'],
  [[], {}, { batch: { key: 'k', wait: 1, size: 1 } }, 'config.items'],
  [{ items: [1, 2] }, {}, { batch: { key: 'k', wait: 1, size: 1 } }, 'config.items'],
  [{ items: [] }, { secrets }, { batch: { key: 'k', wait: 1, size: 1 } }, 'config'],
])('%j %o %o is refused at %s', (config, over, input, path) => {
  expect(() => gatheringPlan(plan(config, over), input, NOW)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ path }) }),
  )
})
