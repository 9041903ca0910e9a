// Owns the processes of the load tests, as whoever starts them sees them.

import { type ChildProcess, spawn } from 'node:child_process'
import { bundleOf } from '../processes/bundle.ts'
import type { Part } from './part.ts'

export interface Process {
  readonly ended: Promise<void>
  readonly kill: () => Promise<void>
  /** The most memory it ever had. */
  readonly peakMiB: () => Promise<number>
}

const PROGRAM = new URL('./program.ts', import.meta.url)

/** Resolves when it works, or has ended before. */
export const startProcess = async (part: Part): Promise<Process> => {
  const { program, env } = await bundleOf(PROGRAM)
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(part)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await Promise.race([new Promise((resolve) => child.once('message', resolve)), ended])
  return {
    ended,
    peakMiB: () =>
      new Promise((resolve) => {
        child.once('message', (said: { readonly peakMiB: number }) => resolve(said.peakMiB))
        child.send('how much memory')
      }),
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
