// Owns reading executions together: those that are asked for in one turn of the event loop are one read, where each event and
// each timer would make a round trip of its own. Nobody joins a read that has begun: what it gives may be older than the asking.

import type { ExecutionRef, Store } from '../store/store.ts'
import { keyOf } from './cache.ts'

type Load = Store['load']
type Loaded = Awaited<ReturnType<Load>>

interface Asking {
  readonly refs: readonly ExecutionRef[]
  readonly resolve: (loaded: Loaded | Promise<Loaded>) => void
}

/** Executions of one read at most, unless somebody asks for more. */
const MOST = 200

const refOf = (loaded: Loaded[number]): ExecutionRef => ('ref' in loaded ? loaded.ref : loaded.execution)

/** The next that fit into one read. */
const takeGroup = (asking: Asking[]): readonly Asking[] => {
  let sum = 0
  const end = asking.findIndex(({ refs }, index) => {
    sum += refs.length
    return index > 0 && sum > MOST
  })
  return asking.splice(0, end === -1 ? asking.length : end)
}

export const loadTogether = (load: Load, turn: () => Promise<void>): Load => {
  const asking: Asking[] = []
  const read = async (group: readonly Asking[]): Promise<void> => {
    if (group.length === 1) return group[0]!.resolve(load(group[0]!.refs))
    try {
      const wanted = new Map(group.flatMap(({ refs }) => refs.map((ref) => [keyOf(ref), ref] as const)))
      const found = new Map(
        (await load([...wanted.values()])).map((loaded) => [keyOf(refOf(loaded)), loaded] as const),
      )
      for (const { refs, resolve } of group) resolve(refs.flatMap((ref) => found.get(keyOf(ref)) ?? []))
    } catch {
      // It may be the fault of one of them: the others are not to suffer for it.
      for (const { refs, resolve } of group) resolve(load(refs))
    }
  }
  return (refs) =>
    new Promise((resolve) => {
      asking.push({ refs, resolve })
      if (asking.length > 1) return
      void turn().then(() => {
        while (asking.length > 0) void read(takeGroup(asking))
      })
    })
}
