// Messages that end every process that touches them, among many that do not: how many are set aside, and whether they
// take neighbours along.

import type { Pawl } from '../../src/index.ts'
import { type Process, startProcess } from './processes.ts'
import { bomb } from './runners.ts'

export interface PoisonFigures {
  readonly bombs: number
  readonly neighbours: number
  /** Processes that were lost. */
  readonly crashes: number
  readonly dead: number
  readonly succeeded: number
  /** Neighbours that did not succeed. */
  readonly lost: number
}

interface PoisonOptions {
  readonly store: string
  readonly neighbours: number
  readonly bombs: number
  /** Processes that work at the same time; each that is lost is replaced. */
  readonly processes: number
  readonly leaseMs: number
}

const WAVE = 200

const fill = async (pawl: Pawl, { neighbours, bombs }: PoisonOptions): Promise<void> => {
  const every = Math.floor(neighbours / bombs)
  const all = Array.from({ length: neighbours + bombs }, (_, n) => n % (every + 1) === every)
  for (let start = 0; start < all.length; start += WAVE)
    await Promise.all(all.slice(start, start + WAVE).map((explodes) => pawl.dispatch(bomb({ explodes }))))
}

/** `pawl` looks on and works at nothing. */
export const poison = async (
  pawl: Pawl,
  options: PoisonOptions,
  waitFor: (isSo: () => Promise<boolean>) => Promise<void>,
): Promise<PoisonFigures> => {
  const { store, neighbours, bombs, processes, leaseMs } = options
  await fill(pawl, options)
  let crashes = 0
  let isOver = false
  const keepOne = async (): Promise<void> => {
    for (;;) {
      const one: Process = await startProcess({ store, log: '', tenants: [], leaseMs })
      const ended = await Promise.race([one.ended.then(() => true), over.then(() => false)])
      if (!ended) return one.kill()
      if (isOver) return
      crashes += 1
    }
  }
  const over = waitFor(async () => {
    const { actions } = await pawl.counts()
    return actions.queued + actions.running === 0
  }).finally(() => {
    isOver = true
  })
  await Promise.all([over, ...Array.from({ length: processes }, keepOne)])
  const { actions } = await pawl.counts()
  const { dead, succeeded } = actions
  return { bombs, neighbours, crashes, dead, succeeded, lost: neighbours - succeeded }
}
