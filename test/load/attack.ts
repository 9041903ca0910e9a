// Owns the attack `load` of the torture, on both stores: a flood beside 1,000 tenants, 100 messages that end processes among
// 10,000, 100,000 large payloads; smaller when it is to be quick.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realTimers } from '../../src/engine/clock.ts'
import { Pawl } from '../../src/index.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { type FloodFigures, flood } from './flood.ts'
import { type PayloadFigures, payloads } from './payloads.ts'
import { type PoisonFigures, poison } from './poison.ts'

const FULL = { tenants: 1000, bombs: 100, neighbours: 9900, payloads: 100_000, bytes: 8 * 1024, processes: 4 }
const QUICK = { tenants: 20, bombs: 1, neighbours: 99, payloads: 100, bytes: 32 * 1024, processes: 2 }
/** As large as a claim: what one claim has taken may start before what comes after it. */
const BATCH = 50
const MOST_MIB = 512

interface Figures {
  readonly store: string
  readonly flood: FloodFigures
  readonly poison: PoisonFigures
  readonly payloads: PayloadFigures
}

const waitFor = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isSo())) await realTimers.sleep(100)
}

const onStore = async (
  store: string,
  url: () => Promise<string>,
  scale: typeof FULL,
  folder: string,
): Promise<Figures> => {
  const log = join(folder, `starts of ${store}`)
  writeFileSync(log, '')
  const flooded = await flood({ store: await url(), log, count: scale.tenants }, waitFor)
  const looking = async <Told>(work: (pawl: Pawl, its: string) => Promise<Told>): Promise<Told> => {
    const its = await url()
    const pawl = await Pawl.open({ store: its })
    try {
      return await work(pawl, its)
    } finally {
      await pawl.close()
    }
  }
  const { bombs, neighbours, processes } = scale
  const poisoned = await looking((pawl, its) =>
    poison(pawl, { store: its, bombs, neighbours, processes, leaseMs: 1000 }, waitFor),
  )
  const filled = await looking((pawl, its) =>
    payloads(pawl, { store: its, count: scale.payloads, bytes: scale.bytes }, waitFor),
  )
  return { store, flood: flooded, poison: poisoned, payloads: filled }
}

const isHeld = ({ flood: flooded, poison: poisoned, payloads: filled }: Figures): boolean =>
  flooded.served === flooded.tenants &&
  flooded.mostBetween <= BATCH &&
  poisoned.dead === poisoned.bombs &&
  poisoned.lost === 0 &&
  filled.succeeded === filled.payloads &&
  filled.peakMiB <= MOST_MIB

export const underLoad = async (isQuick: boolean) => {
  const scale = isQuick ? QUICK : FULL
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-load-'))
  const server = await useServer()
  let files = 0
  try {
    const stores = [
      await onStore('SQLite', async () => `sqlite:${join(folder, `${files++}.db`)}`, scale, folder),
      await onStore('PostgreSQL', () => createDatabase(server), scale, folder),
    ]
    return { isHeld: stores.every(isHeld), summary: { stores } }
  } finally {
    await releaseServer()
    rmSync(folder, { recursive: true, force: true })
  }
}
