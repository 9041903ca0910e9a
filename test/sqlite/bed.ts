// What the tests of the SQLite store stand on: files that are cleaned up, and time that only moves when told to.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenSqlite, openSqlite, type SqliteOptions } from '../../src/store/sqlite/open.ts'
import type { ClaimedAction, Member, Result } from '../../src/store/store.ts'
import type { Timers } from '../../src/store/timers.ts'
import { sound } from '../../src/testing/store-conformance/check.ts'
import { NOW, OF } from './members.ts'

export interface StepTimers extends Timers {
  /** Everything that is called every so often is called once. */
  readonly tick: () => void
  readonly slept: number[]
}

/** A sleep is one turn of the event loop, and is written down. */
export const stepTimers = (): StepTimers => {
  const ticks = new Set<() => void>()
  const slept: number[] = []
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    slept,
    turn,
    sleep: (ms) => {
      slept.push(ms)
      return turn()
    },
    every: (_, tick) => {
      ticks.add(tick)
      return () => ticks.delete(tick)
    },
    tick: () => {
      for (const tick of ticks) tick()
    },
  }
}

export const counter = (): (() => string) => {
  let drawn = 0
  return () => `random ${drawn++}`
}

export const tempFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'pawl.db')
}

export interface Bed extends OpenSqlite {
  readonly file: string
  readonly timers: StepTimers
  readonly warnings: string[]
  /** A batch of one. */
  readonly commit: (member: Partial<Member>) => Promise<Result>
}

export const open = async (options: Partial<SqliteOptions> = {}): Promise<Bed> => {
  const timers = stepTimers()
  const warnings: string[] = []
  const file = options.file ?? ':memory:'
  const opened = await openSqlite({
    file,
    random: counter(),
    timers,
    reserveBytes: 0,
    onWarning: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => opened.store.close().catch(() => undefined))
  const commit = async (member: Partial<Member>): Promise<Result> =>
    (await opened.store.commit([{ ...OF, at: NOW, ...member }]))[0]!
  return { ...opened, file, timers, warnings, commit }
}

/** Everything due, claimed by one worker. */
export const claimAll = async (
  { store }: OpenSqlite,
  nonce = 'nonce',
  clocks: { now?: number; lease?: number } = { now: NOW, lease: NOW },
): Promise<readonly ClaimedAction[]> => {
  const heads = await store.heads(clocks)
  const shares = heads.filter((head) => !head.paused).map(({ lane }) => ({ lane, n: 1000 }))
  const request = { shares, batch: 1000, worker: 'w1', nonce, leaseMs: 30_000, byteBudget: 4_000_000 }
  return sound(await store.claim({ ...request, ...clocks }))
}
