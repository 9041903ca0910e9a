// A share of every attack of `npm run torture`: real processes, both stores, the same judge.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, startServer } from '../stores/postgres-server.ts'
import { crashStore } from './crash-points.ts'
import { busyStorm, immediateStops, lostCommits, terminations } from './database-faults.ts'
import { drainOn } from './drains.ts'
import { killOn } from './kills.ts'
import { zombiesOn } from './zombies.ts'

const STORES = ['SQLite', 'PostgreSQL'] as const
/** PostgreSQL takes twice the time, and shares all but the store. */
const SHARE = {
  SQLite: { points: 6, kills: 8, zombies: 2, drains: 2 },
  PostgreSQL: { points: 4, kills: 4, zombies: 1, drains: 1 },
} as const
const SEED = 7

let postgres: Server

beforeAll(async () => {
  postgres = await startServer()
})
afterAll(async () => {
  await postgres.stop()
})

const serverOf = (store: (typeof STORES)[number]): Server | undefined =>
  store === 'PostgreSQL' ? postgres : undefined

const report = (line: string, { findings: _, ...figures }: { readonly findings: readonly string[] }): void =>
  console.log(`${line}; ${JSON.stringify(figures)}`)

describe.each(STORES)('on %s', (store) => {
  const share = SHARE[store]

  it('T3 F01–F08: killed at numbered instants, before and after, everything ends and nothing twice', async () => {
    const { points, kills, figures } = await crashStore(serverOf(store), share.points, 3)
    report(`${store}: ${points} crash points, ${kills} kills`, figures)
    expect(figures.findings).toEqual([])
    // A run has a call more or less than the one that was counted.
    expect(points).toBeGreaterThanOrEqual(share.points / 2)
  })

  it('T4 F04 F06: killed at random, again and again, everything ends and nothing twice', async () => {
    const { kills, workloads, figures } = await killOn(serverOf(store), share.kills, SEED)
    report(`${store}: ${kills} kills, ${workloads} workloads`, figures)
    expect(figures.findings).toEqual([])
    expect(kills).toBe(share.kills)
  })

  it('T5 F27: stopped past its lease and woken, a process writes nothing that counts', async () => {
    const { zombies, takenOver, refused, figures } = await zombiesOn(serverOf(store), share.zombies, SEED)
    report(`${store}: ${zombies} zombies, ${takenOver} taken over, ${refused} settlements refused`, figures)
    expect(figures.findings).toEqual([])
    expect([zombies, figures.stale]).toEqual([share.zombies, 0])
  })

  it('F37 F38: asked to end, versions old and new in turn, no lease runs out and no finished effect is repeated', async () => {
    const { drains, asked, slowestMs, figures } = await drainOn(serverOf(store), share.drains, SEED)
    report(`${store}: ${drains} drains of ${asked}, the slowest ${slowestMs} ms`, figures)
    expect(figures.findings).toEqual([])
    expect([drains, figures.reaps]).toEqual([asked, 0])
  })
})

describe('the store itself', () => {
  it.each([
    ['F21: a server that stops at once and comes back', immediateStops, 1],
    ['F20: everybody thrown out', terminations, 2],
    ['F03: commits lost on the way, or their replies', lostCommits, 4],
  ] as const)('%s', async (name, attack, strikes) => {
    const { ended, workloads, figures } = await attack(postgres, strikes, SEED)
    report(`${name}: ${strikes} times, ${workloads} workloads`, figures)
    expect(figures.findings).toEqual([])
    expect(ended).toBe(0)
  })

  it('F30: eight processes on one file, and nobody is told that it is busy', async () => {
    const { workloads, refusals, logged, figures } = await busyStorm(1, SEED)
    report(`eight processes, ${workloads} workloads`, figures)
    expect(figures.findings).toEqual([])
    expect([refusals, logged, figures.reaps, figures.duplicatesSameKey]).toEqual([0, 0, 0, 0])
  })
})
