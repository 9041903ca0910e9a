import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { DispatchEntry, Pawl } from '../../src/index.ts'
import { runner } from '../../src/index.ts'
import { at, MINUTE, onEachShared, onEachStore } from './bed.ts'
import { settle, spy, until } from './spies.ts'

const job = spy('job')
const defaulted = spy('defaulted', () => null, { defaults: { priority: 70, tags: ['of its type'] } })
const runners = [job, defaulted]
const configs = (): readonly unknown[] => job.calls.map(({ config }) => config)
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)
const all = async (pawl: Pawl) => (await pawl.actions.list({}, { limit: 250 })).data

onEachStore('dispatchMany', (bed) => {
  const open = (more: object = {}) => {
    job.calls.length = 0
    return bed.open({ runners, ...more })
  }

  it('answers in the order of the list, in which they also begin', async () => {
    const pawl = await open()
    const answers = await pawl.dispatchMany(numbers(40).map((n) => job(n)))
    expect(answers.map(({ deduplicated }) => deduplicated)).toEqual(numbers(40).map(() => false))
    const rows = await Promise.all(answers.map(({ id }) => pawl.actions.get(id)))
    expect(rows.map((row) => row!.config)).toEqual(numbers(40))
    expect(rows.map((row) => row!.stepKey)).toEqual(answers.map(({ id }) => id))
    await settle(pawl)
    expect(configs()).toEqual(numbers(40))
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('each entry has options of its own, over those of its request and of its type', async () => {
    const pawl = await open()
    const written = { type: 'defaulted', config: 'c', options: { priority: 60 } }
    const entries: readonly DispatchEntry[] = [
      job('a'),
      { request: job('b', { priority: 10 }), options: { priority: 20, delay: '5m', name: 'later' } },
      { request: defaulted('d') },
      written,
    ]
    const ids = (await pawl.dispatchMany(entries)).map(({ id }) => id)
    const rows = await Promise.all(ids.map((id) => pawl.actions.get(id)))
    expect(rows).toMatchObject([
      { name: 'job', priority: 50, dueAt: at(0) },
      { name: 'later', priority: 20, dueAt: at(5 * MINUTE) },
      { priority: 70, tags: ['of its type'] },
      { priority: 60, tags: ['of its type'] },
    ])
  })

  it('an empty list is answered with an empty list', async () => {
    const pawl = await open()
    expect(await pawl.dispatchMany([])).toEqual([])
    expect(await all(pawl)).toEqual([])
  })

  it('a thousand go in one commit; one more is refused, with what to do', async () => {
    const pawl = await open()
    expect(await pawl.dispatchMany(numbers(1000).map((n) => job(n)))).toHaveLength(1000)
    expect((await pawl.counts()).actions.queued).toBe(1000)
    const more = pawl.dispatchMany(numbers(1001).map((n) => job(n)))
    await expect(more).rejects.toMatchObject({
      code: 'payload_too_large',
      message: '1001 actions are too many for one commit',
      details: { expected: expect.stringContaining('at most 1000 at once') },
    })
    expect((await pawl.counts()).actions.queued).toBe(1000)
  })

  it('configs of more than 4 MiB together are refused, and nothing is written', async () => {
    const pawl = await open()
    const text = 'x'.repeat(250_000)
    const many = pawl.dispatchMany(numbers(17).map(() => job(text)))
    await expect(many).rejects.toMatchObject({
      code: 'payload_too_large',
      details: { expected: expect.stringContaining('several calls') },
    })
    expect(await all(pawl)).toEqual([])
    expect(await pawl.dispatchMany(numbers(16).map(() => job(text)))).toHaveLength(16)
  })

  it.each<readonly [string, DispatchEntry, object]>([
    ['an option', job('x', { priority: 101 }), { code: 'invalid_option', details: { path: '2.priority' } }],
    [
      'an option beside it',
      { request: job('x'), options: { delay: 'soon' as never } },
      { code: 'invalid_duration', details: { path: '2.delay' } },
    ],
    [
      'a name',
      { request: job('x'), options: { id: ' x' } },
      { code: 'invalid_option', details: { path: '2.id' } },
    ],
    [
      'a template',
      { type: 'job', config: '{{variables.unknown}}', options: {} },
      { code: 'config_invalid', details: { path: '2.config' } },
    ],
    [
      'a config',
      { type: 'job', config: 'x'.repeat(300_000), options: {} },
      { code: 'payload_too_large', details: { path: '2' } },
    ],
    [
      'what is gathered',
      { request: job({ items: [1] }), options: { batch: { key: 'b', size: 0, wait: '1s' } } },
      { code: 'invalid_option', details: { path: '2.batch.size' } },
    ],
    ['no request', null as never, { code: 'invalid_option', details: { path: '2.request' } }],
    ['no type', { config: 1, options: {} } as never, { code: 'invalid_option', details: { path: '2.type' } }],
  ])('what is wrong with %s names the place of its entry, and nothing is written', async (_, bad, error) => {
    const pawl = await open()
    const many = pawl.dispatchMany([job('a'), job('b'), bad, job('c')])
    await expect(many).rejects.toMatchObject({ message: expect.stringContaining('entry 2: '), ...error })
    expect(await all(pawl)).toEqual([])
  })

  it('keys meet as one after the other: the first of a call, or one from before, stands for the rest', async () => {
    const pawl = await open()
    const keyed = (n: number, key: string) => job(n, { dedup: { key, while: 'active' } })
    const before = await pawl.dispatch(keyed(0, 'before'))
    const answers = await pawl.dispatchMany([
      keyed(1, 'k'),
      keyed(2, 'k'),
      keyed(3, 'before'),
      keyed(4, 'other'),
    ])
    expect(answers.map(({ deduplicated }) => deduplicated)).toEqual([false, true, true, false])
    expect(answers[1]!.id).toBe(answers[0]!.id)
    expect(answers[2]!.id).toBe(before.id)
    await settle(pawl)
    expect(configs().toSorted()).toEqual([0, 1, 4])
  })

  it('a name that was given before, or twice, is one action', async () => {
    const pawl = await open()
    const named = (n: number, id: string): DispatchEntry => ({ request: job(n), options: { id } })
    const before = await pawl.dispatch(job(0), { id: 'before' })
    const entries = [
      named(1, 'a'),
      named(2, 'before'),
      job(3),
      named(4, 'a'),
      named(5, 'b'),
      named(6, 'before'),
    ]
    const first = await pawl.dispatchMany(entries)
    expect(first.map(({ deduplicated }) => deduplicated)).toEqual([false, true, false, true, false, true])
    expect(first[3]!.id).toBe(first[0]!.id)
    expect([first[1]!.id, first[5]!.id]).toEqual([before.id, before.id])
    expect((await pawl.actions.get(first[0]!.id))!.stepKey).toBe('a')
    await settle(pawl)
    const again = await pawl.dispatchMany(entries)
    expect(again.map(({ deduplicated }) => deduplicated)).toEqual([true, true, false, true, true, true])
    expect(again[0]!.id).toBe(first[0]!.id)
    await settle(pawl)
    expect(configs().toSorted()).toEqual([0, 1, 3, 3, 5])
  })

  it('debounced and batched in one call: the last counts, and all items are in one', async () => {
    const pawl = await open()
    const debounced = (n: number): DispatchEntry => ({
      request: job(n),
      options: { debounce: { key: 'd', wait: '1m' } },
    })
    const batched = (n: number, id?: string): DispatchEntry => ({
      request: job({ items: [n] }),
      options: { batch: { key: 'b', size: 3, wait: '1h' }, ...(id !== undefined && { id }) },
    })
    const answers = await pawl.dispatchMany([
      debounced(1),
      batched(1, 'one'),
      batched(1, 'one'),
      debounced(2),
      batched(2),
      batched(3),
      batched(4),
    ])
    expect(answers.map(({ deduplicated }) => deduplicated)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      false,
    ])
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3)
    await pawl.advance({ by: '1m' })
    expect(configs()).toEqual([{ items: [1, 2, 3] }, 2])
  })

  it('of another tenant nothing is met', async () => {
    const pawl = await open()
    const entry: DispatchEntry = {
      request: job(1, { dedup: { key: 'k', while: 'active' } }),
      options: { id: 'a' },
    }
    const [mine] = await pawl.dispatchMany([entry])
    const [theirs] = await pawl.tenant('globex').dispatchMany([entry])
    expect([mine!.deduplicated, theirs!.deduplicated]).toEqual([false, false])
    expect(theirs!.id).not.toBe(mine!.id)
  })

  it('what a condition leaves out is skipped, and the others are queued', async () => {
    const pawl = await open()
    const [skipped, queued] = await pawl.dispatchMany([
      job(1, { condition: false }),
      job(2, { condition: true }),
    ])
    expect((await pawl.actions.get(skipped!.id))!.status).toBe('skipped')
    expect((await pawl.actions.get(queued!.id))!.status).toBe('queued')
  })

  it('with a worker that has free slots, as many begin at once, and all of them once', async () => {
    const pawl = await open({ clock: 'real' })
    await pawl.work({ slots: 4 })
    const answers = await pawl.dispatchMany(numbers(50).map((n) => job(n)))
    await until(() => job.calls.length >= 50)
    await until(async () => (await pawl.counts()).actions.succeeded === 50)
    expect(new Set(configs())).toEqual(new Set(numbers(50)))
    expect(job.calls).toHaveLength(50)
    expect((await pawl.actions.get(answers[0]!.id))!.status).toBe('succeeded')
  })
})

onEachShared('dispatchMany, of several', (bed) => {
  it('inside the caller’s transaction: committed with it, or never asked for', async () => {
    const pawl = await bed.open({ runners })
    const entries = numbers(3).map((n): DispatchEntry => ({ request: job(n), options: { id: `n${n}` } }))
    const undone = bed.transact(async (client) => {
      await pawl.in(client).dispatchMany(entries)
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await all(pawl)).toEqual([])
    const answers = await bed.transact((client) => pawl.in(client).dispatchMany(entries))
    expect(answers.map(({ deduplicated }) => deduplicated)).toEqual([false, false, false])
    expect(await all(pawl)).toHaveLength(3)
  })

  it('two processes that give the same names at once make each of them once', async () => {
    const pawls = [await bed.open({ runners, clock: 'real' }), await bed.open({ runners, clock: 'real' })]
    const entries = numbers(60).map((n): DispatchEntry => ({ request: job(n), options: { id: `n${n}` } }))
    const answers = await Promise.all(
      numbers(6).map((n) => pawls[n % 2]!.dispatchMany(n < 3 ? entries : entries.toReversed())),
    )
    const made = answers.flat().filter(({ deduplicated }) => !deduplicated)
    expect(made).toHaveLength(60)
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(60)
    expect((await pawls[0]!.counts()).actions.queued).toBe(60)
  })
})

describe('the types of dispatchMany', () => {
  it('take requests and entries, and nothing else', () => {
    const typed = runner({ type: 'typed', config: z.object({ to: z.string() }), execute: () => null })
    const entries: readonly DispatchEntry[] = [typed({ to: 'ada' }), { request: typed({ to: 'bob' }) }]
    // @ts-expect-error a config is no request
    const wrong: DispatchEntry = { to: 'ada' }
    expect([...entries, wrong]).toHaveLength(3)
  })
})
