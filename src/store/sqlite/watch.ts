// Owns waking: listeners hear of this process's own commits at once, and of other processes' by asking SQLite now and
// then whether the file has changed. Who changed what is not told, so every lane may have news.

import type { Store, Wake } from '../store.ts'
import type { Timers } from '../timers.ts'
import type { Connection } from './connection.ts'
import { createLookout, type Partner } from './others.ts'

export interface Watch {
  readonly listen: Store['wake']
  readonly tell: (wake: Wake | undefined) => void
  readonly close: () => void
}

export interface WatchOptions {
  readonly timers: Timers
  readonly pollMs: number
  /** What this process writes by another connection. */
  readonly partner: Partner
  /** A listener that throws, and what it threw: nobody else is to suffer for it. */
  readonly onError: (error: unknown) => void
  /** Called with each look at the file. */
  readonly onLook: () => void
}

export const createWatch = ({ db, sql }: Connection, options: WatchOptions): Watch => {
  const listeners = new Set<(wake: Wake) => void>()
  const lookout = createLookout(db, options.partner)
  lookout()
  let isInDoubt = false

  const tell: Watch['tell'] = (wake) => {
    if (wake === undefined) return
    for (const listener of [...listeners])
      try {
        listener(wake)
      } catch (error) {
        options.onError(error)
      }
  }
  const look = (): void => {
    try {
      options.onLook()
      const change = lookout()
      // Others may have written behind it: what is not known when it has come to rest is taken to be so.
      const isNews = change === 'others' || (change === 'none' && isInDoubt)
      isInDoubt = change === 'ours'
      if (!isNews) return
      const lanes = sql.allLanes.all<{ lane: number }>().map(({ lane }) => lane)
      tell({ lanes, timers: true, inbox: true })
    } catch (error) {
      // The file may be busy recovering: the next look is soon enough.
      options.onError(error)
    }
  }
  const stop = options.timers.every(options.pollMs, look)
  return {
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell,
    close: () => {
      stop()
      listeners.clear()
    },
  }
}
