// Owns a queue made of two transactions: one that writes what came together, one that ends what was taken and takes the next.
// What the rows are is for the ceilings to say.

import type { Queue } from './queue.ts'

export interface Program {
  readonly insert: (ns: readonly number[]) => Promise<unknown>
  /** Each may be under way at the same time as the others. */
  readonly turns: readonly ((ended: readonly string[]) => Promise<readonly string[]>)[]
  readonly isDrained: () => Promise<boolean>
  readonly close: () => Promise<unknown>
}

/** As many as the engine groups at the same concurrency. */
export const GROUP = 200

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Adds that come together are one write. */
const grouping = (insert: Program['insert']): Pick<Queue, 'add' | 'addMany'> => {
  const waiting: { readonly n: number; readonly resolve: () => void }[] = []
  let isBusy = false
  const flush = async (): Promise<void> => {
    isBusy = true
    await breath()
    while (waiting.length > 0) {
      const group = waiting.splice(0, GROUP)
      await insert(group.map(({ n }) => n))
      for (const { resolve } of group) resolve()
      await breath()
    }
    isBusy = false
  }
  const add = (n: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ n, resolve })
      if (!isBusy) void flush()
    })
  return {
    add,
    addMany: (from, count) => Promise.all(Array.from({ length: count }, (_, index) => add(from + index))),
  }
}

const looping = (turns: Program['turns'], handle: (n: number) => void): (() => Promise<unknown>) => {
  let isOn = true
  const loop = async (turn: Program['turns'][number]): Promise<void> => {
    for (let taken: readonly string[] = []; isOn || taken.length > 0; ) {
      taken = await turn(taken)
      for (const id of taken) handle(Number(id.slice(-9)))
      await breath()
    }
  }
  const going = Promise.all(turns.map(loop))
  return () => {
    isOn = false
    return going
  }
}

export const queueOf = ({ insert, turns, isDrained, close }: Program): Queue => ({
  ...grouping(insert),
  work: async (handle) => looping(turns, handle),
  isDrained,
  close: async () => {
    await close()
    return undefined
  },
})
