// Owns attacks side by side: each is a process of its own, so that none holds another's event loop, and so many of them
// are under way at once as keep every core busy while some only wait.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Ended {
  readonly name: string
  readonly isHeld: boolean
  readonly seconds: number
  readonly summary: object
}

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

/** One attack; its summary is the last line that it says. */
const runAlone = (name: string, flags: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const since = performance.now()
    const child = spawn(process.execPath, [RUN, '--only', name, '--json', ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - since) / 1000)
      resolve({ name, isHeld: code === 0, seconds, summary: summaryOf(name, said) })
    })
  })

/** One that fell over said nothing: that is what is told of it. */
const summaryOf = (name: string, said: string): object => {
  try {
    return JSON.parse(said.trimEnd().split('\n').at(-1)!)[name]
  } catch {
    return { failure: `it ended without a summary: ${said.slice(-200)}` }
  }
}

export const runLanes = async (
  names: readonly string[],
  lanes: number,
  flags: readonly string[],
  onEnd: (ended: Ended) => void,
): Promise<readonly Ended[]> => {
  const coming = [...names]
  const all: Ended[] = []
  const lane = async (): Promise<void> => {
    for (let name = coming.shift(); name !== undefined; name = coming.shift()) {
      const ended = await runAlone(name, flags)
      all.push(ended)
      onEnd(ended)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return all
}
