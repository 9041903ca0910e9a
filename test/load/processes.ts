// Owns the processes of the load tests, as whoever starts them sees them.

import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Part } from './part.ts'

export interface Process {
  readonly ended: Promise<void>
  readonly kill: () => Promise<void>
  /** The most memory it ever had. */
  readonly peakMiB: () => Promise<number>
}

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url))

/** Resolves when it works, or has ended before. */
export const startProcess = async (part: Part): Promise<Process> => {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, JSON.stringify(part)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'pawl-compiled') },
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
