// Large payloads, very many of them: whether a process that works them off with many slots keeps its memory bounded (F33).

import type { Pawl } from '../../src/index.ts'
import { startProcess } from './processes.ts'
import { large } from './runners.ts'

export interface PayloadFigures {
  readonly payloads: number
  readonly bytesEach: number
  readonly succeeded: number
  /** The most memory the process ever had. */
  readonly peakMiB: number
}

const WAVE = 200

/** `pawl` fills, looks on and works at nothing. */
export const payloads = async (
  pawl: Pawl,
  { store, count, bytes }: { readonly store: string; readonly count: number; readonly bytes: number },
  waitFor: (isSo: () => Promise<boolean>) => Promise<void>,
): Promise<PayloadFigures> => {
  const text = 'x'.repeat(bytes)
  for (let sent = 0; sent < count; sent += WAVE)
    await Promise.all(
      Array.from({ length: Math.min(WAVE, count - sent) }, () => pawl.dispatch(large({ text }))),
    )
  const worker = await startProcess({ store, log: '', tenants: [], slots: 1000 })
  await waitFor(async () => (await pawl.counts()).actions.succeeded === count)
  const peakMiB = await worker.peakMiB()
  await worker.kill()
  const { succeeded } = (await pawl.counts()).actions
  return { payloads: count, bytesEach: bytes, succeeded, peakMiB }
}
