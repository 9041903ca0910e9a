// Owns the processes of one test: a disk that outlives them, a clock they share, and one engine after the other on it. What a
// test sees of them is test-pawl.ts.

import type { JsonObject } from '../core/json.ts'
import { parseInstant } from '../core/time/instant.ts'
import type { Level } from '../engine/log.ts'
import { realChance } from '../engine/random.ts'
import { openWith, type PawlOptions } from '../pawl/open.ts'
import { type OpenedStore, openStore } from '../pawl/open-store.ts'
import type { Pawl } from '../pawl/surface.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { type CrashSwitch, createCrashSwitch, mortalPorts, mortalRunner } from './crash.ts'
import { countedChance, createTestClock } from './test-clock.ts'

export interface TestPawlOptions extends Omit<PawlOptions, 'store' | 'clock' | 'log'> {
  /** Default: a database in memory. `sqlite:<file>` to have it survive the test's own process. */
  readonly store?: string
  /** Where the clock starts. Default 2026-01-01T00:00:00Z. */
  readonly now?: string | number
}

export interface LogLine {
  readonly level: Level
  readonly message: string
  readonly fields: JsonObject
}

const START = '2026-01-01T00:00:00Z'
const MEMORY = 'sqlite::memory:'
const LEASE_MS = 30_000

/** The database outlives the engines on it: one in memory is kept, a file is closed and opened again. */
const createDisk = (name: string) => {
  let kept: OpenedStore | undefined
  const release = async (): Promise<void> => {
    await kept?.store.close()
    kept = undefined
  }
  return {
    openStore:
      (life: CrashSwitch): typeof openStore =>
      async (_, options) => {
        kept ??= await openStore(name, options)
        // A store's id is in every key and holds the real time it was made at: a test's keys stay the same.
        const id = name === MEMORY ? 'str_test' : kept.store.id
        return mortalPorts({ ...kept, store: { ...kept.store, id, close: async () => undefined } }, life)
      },
    isMemory: name === MEMORY,
    release,
  }
}

interface Life {
  readonly pawl: Pawl
  readonly life: CrashSwitch
}

/** How a process on the disk begins. */
const createBeginning = (options: TestPawlOptions, runners: readonly AnyRunner[], log: LogLine[]) => {
  const { store = MEMORY, now = START, leaseMs = LEASE_MS, ...rest } = options
  const clock = createTestClock(parseInstant(now))
  const disk = createDisk(store)
  // Two tests may follow each other on one file: counted ids would meet those of the first.
  const chance = disk.isMemory ? countedChance() : realChance

  const begin = async (): Promise<Life> => {
    const life = createCrashSwitch()
    const pawl = await openWith(
      {
        secrets: { env: {} },
        builtIns: false,
        ...rest,
        store,
        leaseMs,
        runners: runners.map((runner) => mortalRunner(runner, life)),
        log: (level, message, fields) => {
          if (!life.isDead()) log.push({ level, message, fields })
        },
      },
      { clock, chance, openStore: disk.openStore(life) },
    )
    life.count()
    return { pawl, life }
  }
  return { begin, clock, disk, leaseMs }
}

export interface Lives {
  readonly current: () => Life
  readonly restart: () => Promise<void>
  readonly end: () => Promise<void>
}

/** One process after the other. */
export const createLives = async (
  options: TestPawlOptions,
  runners: readonly AnyRunner[],
  log: LogLine[],
): Promise<Lives> => {
  const { begin, clock, disk, leaseMs } = createBeginning(options, runners, log)
  let current = await begin().catch(async (error: unknown) => {
    await disk.release()
    throw error
  })

  /** What a dead engine has to say about its end is of no interest. */
  const bury = async ({ pawl, life }: Life): Promise<void> => {
    life.kill('when it was restarted')
    await pawl.close().catch(() => undefined)
    if (!disk.isMemory) await disk.release()
    clock.outlive(leaseMs)
  }
  return {
    current: () => current,
    restart: async () => {
      await bury(current)
      current = await begin()
    },
    end: async () => {
      try {
        if (current.life.isDead()) await bury(current)
        else await current.pawl.close()
      } finally {
        await disk.release()
      }
    },
  }
}
