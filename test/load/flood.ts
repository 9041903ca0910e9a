// One tenant floods from two processes, through the eager path and through the queue, while others have one action each.
// Told by counts and orders alone: how many starts of the flood come between a commit of another tenant and its start, in
// the process that starts it. What the other one starts meanwhile is no matter: a machine may hold either up at any line.

import { readFileSync } from 'node:fs'
import { startProcess } from './processes.ts'

export interface FloodFigures {
  readonly tenants: number
  readonly served: number
  readonly floodStarts: number
  /** Starts of the flood between the commit of another tenant's action and its start, by whoever starts it, at most. */
  readonly mostBetween: number
}

/** What the lines of all processes say. */
const figuresOf = (lines: readonly string[], tenants: readonly string[]): FloodFigures => {
  const waiting = new Map<string, ReadonlyMap<string, number>>()
  const started = new Set<string>()
  const floods = new Map<string, number>()
  let mostBetween = 0
  for (const line of lines) {
    const [what, name, by] = line.split(' ') as [string, string, string]
    const flooded = floods.get(by) ?? 0
    if (what === 'start' && name === 'flood') floods.set(by, flooded + 1)
    else if (what === 'commit') {
      if (!started.has(name)) waiting.set(name, new Map(floods))
    } else {
      started.add(name)
      const before = waiting.has(name) ? (waiting.get(name)!.get(by) ?? 0) : flooded
      mostBetween = Math.max(mostBetween, flooded - before)
    }
  }
  const floodStarts = [...floods.values()].reduce((sum, count) => sum + count, 0)
  return { tenants: tenants.length, served: started.size, floodStarts, mostBetween }
}

const linesOf = (log: string): readonly string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean)

/** `waitFor` asks again until it is so. */
export const flood = async (
  { store, log, count }: { readonly store: string; readonly log: string; readonly count: number },
  waitFor: (isSo: () => boolean) => Promise<void>,
): Promise<FloodFigures> => {
  const tenants = Array.from({ length: count }, (_, n) => `tenant-${n}`)
  const half = Math.ceil(count / 2)
  const parts = [tenants.slice(0, half), tenants.slice(half)]
  const processes = await Promise.all(parts.map((some) => startProcess({ store, log, tenants: some })))
  try {
    await waitFor(() => figuresOf(linesOf(log), tenants).served === count)
  } finally {
    await Promise.all(processes.map(({ kill }) => kill()))
  }
  return figuresOf(linesOf(log), tenants)
}
