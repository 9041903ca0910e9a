// Owns the connections that stay open: how many one actor may hold, and that all of them end when the server does.

import { PawlError } from '../core/errors.ts'
import type { Streams } from './route.ts'

export interface OwnedStreams extends Streams {
  readonly endAll: () => void
}

export const createStreams = (perActor: number, heartbeatMs: number): OwnedStreams => {
  const open = new Map<AbortController, string>()
  const held = (actor: string): number => [...open.values()].filter((each) => each === actor).length
  return {
    heartbeatMs,
    open: ({ id }) => {
      if (held(id) >= perActor)
        throw new PawlError('rate_limited', 'this key holds too many streams', {
          expected: `at most ${perActor} at once`,
          headers: { 'retry-after': '10' },
        })
      const ending = new AbortController()
      open.set(ending, id)
      return {
        signal: ending.signal,
        close: () => {
          open.delete(ending)
          ending.abort()
        },
      }
    },
    endAll: () => {
      for (const ending of open.keys()) ending.abort()
      open.clear()
    },
  }
}
