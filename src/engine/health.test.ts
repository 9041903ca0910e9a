import { expect, it } from 'vitest'
import type { Settlement } from '../core/settle.ts'
import type { HealthRow } from '../store/health.ts'
import { realTimers } from './clock.ts'
import { createHealth, NOTHING } from './health.ts'
import type { Ended } from './settlement.ts'

const HOUR = 3_600_000
const START = 500_000 * HOUR

const ended = (name: string, over: Partial<Ended> = {}): Ended => ({
  action: {
    namespace: 'default',
    tenant: 'acme',
    attempt: 0,
    plan: { name, type: 'email' },
  } as Ended['action'],
  outcome: { kind: 'cancelled' },
  attempt: 1,
  startedAt: START,
  endedAt: START + 20,
  worker: 'w',
  cancelRequested: false,
  ...over,
})

const settled = (status: Settlement['status'], type?: string): Settlement => ({
  status,
  outcome: 'succeeded',
  reason: 'done',
  lost: 0,
  reaps: 0,
  ...(type !== undefined && { error: { type, message: 'm', retryable: true } }),
})

const open = () => {
  const written: HealthRow[][] = []
  const scene = { now: START, fails: 0, timers: [] as (() => void)[], warned: 0 }
  const health = createHealth({
    store: {
      put: async (rows) => {
        if (scene.fails-- > 0) throw new Error('away')
        written.push([...rows])
      },
    },
    writer: 'wrk_1',
    clock: {
      now: () => scene.now,
      clocks: () => ({}),
      monotonic: () => 0,
      timers: {
        ...realTimers,
        after: (_, call) => {
          scene.timers.push(call)
          return () => undefined
        },
      },
    },
    log: { warn: () => void scene.warned++ },
  })
  return { health, written, scene }
}

it.each([
  ['a success', ended('a'), settled('succeeded'), { ended: 1, succeeded: 1, attempts: 1, durationMs: 20 }],
  ['a third attempt', ended('a', { attempt: 3 }), settled('succeeded'), { retried: 1, retries: 2 }],
  [
    'one to be retried',
    ended('a'),
    settled('queued', 'timeout'),
    { ended: 0, attempts: 1, errors: { timeout: 1 } },
  ],
  ['a dead one', ended('a'), settled('dead', 'x'), { ended: 1, succeeded: 0, errors: { x: 1 } }],
  ['one in review', ended('a'), settled('review', 'x'), { ended: 1, succeeded: 0 }],
  ['one that never started', ended('a', { attempt: 0 }), settled('cancelled', 'cancelled'), NOTHING],
  ['a skipped one', ended('a', { attempt: 0 }), settled('skipped', 'expired'), NOTHING],
  ['what it cost', ended('a', { costEstimate: 1.5 }), settled('succeeded'), { cost: 1.5 }],
  ['a clock that went back', ended('a', { endedAt: START - 5 }), settled('succeeded'), { durationMs: 0 }],
  [
    'an error that is called like something every object has',
    ended('a'),
    settled('dead', 'constructor'),
    { errors: { constructor: 1 } },
  ],
])('measures %s', async (_, end, settlement, expected) => {
  const { health, written } = open()
  health.record(end, settlement)
  await health.flush()
  expect(written.flat().map(({ measured }) => measured)).toMatchObject([expected])
})

it('each of them has figures of its own: by tenant, namespace, name and type, in whatever order they end', async () => {
  const { health, written } = open()
  const { action } = ended('a')
  const { plan } = action
  const others = [
    action,
    { ...action, tenant: 'other' },
    { ...action, namespace: 'other' },
    { ...action, plan: { ...plan, name: 'b' } },
    { ...action, plan: { ...plan, type: 'sms' } },
  ]
  for (const each of [...others, ...others.toReversed()])
    health.record(ended('a', { action: each }), settled('succeeded'))
  await health.flush()
  const shown = written
    .flat()
    .map(({ namespace, tenant, name, type, measured }) => [
      [namespace, tenant, name, type].join(' '),
      measured.ended,
      measured.latency,
    ])
  const latency = { 18: 2 }
  expect(shown).toEqual([
    ['default acme a email', 2, latency],
    ['default other a email', 2, latency],
    ['other acme a email', 2, latency],
    ['default acme b email', 2, latency],
    ['default acme a sms', 2, latency],
  ])
})

it('what was given to be written does not change any more', async () => {
  const { health, written } = open()
  health.record(ended('a'), settled('dead', 'x'))
  await health.flush()
  health.record(ended('a'), settled('dead', 'x'))
  const [first] = written.flat()
  expect(first!.measured).toMatchObject({ ended: 1, latency: { 18: 1 }, errors: { x: 1 } })
})

it('H1: rows are written whole, only those that changed, and again when a write failed', async () => {
  const { health, written, scene } = open()
  health.record(ended('a'), settled('succeeded'))
  health.record(ended('b'), settled('succeeded'))
  await health.flush()
  health.record(ended('a'), settled('succeeded'))
  scene.fails = 1
  await expect(health.flush()).rejects.toThrow('away')
  await health.flush()
  await health.flush()
  const shown = written.map((rows) => rows.map(({ name, measured }) => [name, measured.ended]))
  expect(shown).toEqual([
    [
      ['a', 1],
      ['b', 1],
    ],
    [['a', 2]],
  ])
})

it('writes by itself, and says when it could not', async () => {
  const { health, written, scene } = open()
  health.record(ended('a'), settled('succeeded'))
  health.record(ended('a'), settled('succeeded'))
  expect(scene.timers).toHaveLength(1)
  scene.fails = 1
  scene.timers[0]!()
  await expect.poll(() => scene.warned).toBe(1)
  await health.close()
  expect(written).toHaveLength(1)
  health.record(ended('a'), settled('succeeded'))
  expect(scene.timers).toHaveLength(1)
})

it('an hour has a row of its own, and the one before is kept by the store alone', async () => {
  const { health, written, scene } = open()
  health.record(ended('a'), settled('succeeded'))
  await health.flush()
  scene.now += HOUR
  health.record(ended('a'), settled('succeeded'))
  await health.flush()
  expect(written.flat().map(({ bucket, measured }) => [bucket, measured.ended])).toEqual([
    [START, 1],
    [START + HOUR, 1],
  ])
})

it('names are bounded in memory, and nothing that was counted is written over', async () => {
  const { health, written } = open()
  for (let name = 0; name < 2500; name++) health.record(ended(`n${name}`), settled('succeeded'))
  await health.flush()
  health.record(ended('n1'), settled('succeeded'))
  await health.flush()
  const last = written.at(-1)!
  expect(last.map(({ name, writer, measured }) => [name, writer, measured.ended])).toEqual([
    ['n1', 'wrk_1.1', 1],
  ])
  expect(Math.max(...written.map((rows) => rows.length))).toBe(200)
})

it('the one that came last is forgotten like the others, and is another row when it comes again', async () => {
  const { health, written } = open()
  for (let name = 0; name < 2500; name++) health.record(ended(`n${name}`), settled('succeeded'))
  await health.flush()
  health.record(ended('n2499'), settled('succeeded'))
  await health.flush()
  expect(written.at(-1)!.map(({ name, writer, measured }) => [name, writer, measured.ended])).toEqual([
    ['n2499', 'wrk_1.1', 1],
  ])
})

it('an hour that begins before the last was written has a row of its own', async () => {
  const { health, written, scene } = open()
  health.record(ended('a'), settled('succeeded'))
  scene.now += HOUR
  health.record(ended('a'), settled('succeeded'))
  await health.flush()
  expect(written.flat().map(({ bucket, measured }) => [bucket, measured.ended])).toEqual([
    [START, 1],
    [START + HOUR, 1],
  ])
})
