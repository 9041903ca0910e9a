// Owns what a reader says about a text it cannot read, by offset, and how it stops. Readers go on after what is wrong
// but clear, so that all of it is told; after what makes the rest unreadable they stop.

import { type Path, type Problem, problem } from './problem.ts'

export interface Rejection {
  readonly problem: Problem
  readonly offset: number
}

export interface Rejections {
  readonly rejections: readonly Rejection[]
  /** Notes what is wrong and lets the reading go on. */
  readonly reject: (
    at: Path,
    offset: number,
    message: string,
    expected?: string,
    point?: Problem['point'],
  ) => void
  /** The same, where nothing can follow. */
  readonly stop: (at: Path, offset: number, message: string, expected?: string, suggestion?: string) => never
}

/** Beyond this nobody reads on. */
const MAX_REJECTIONS = 100
const STOPPED = new Error('reading stopped')

export const createRejections = (): Rejections => {
  const rejections: Rejection[] = []
  const stop: Rejections['stop'] = (at, offset, message, expected, suggestion) => {
    rejections.push({
      problem: problem(at, message, { code: 'json_rejected', expected, suggestion }),
      offset,
    })
    throw STOPPED
  }
  return {
    rejections,
    stop,
    reject: (at, offset, message, expected, point = 'value') => {
      rejections.push({ problem: problem(at, message, { code: 'json_rejected', expected, point }), offset })
      if (rejections.length === MAX_REJECTIONS)
        stop(
          at,
          offset,
          'there is more to correct, but reading stops here',
          'the problems above corrected first',
        )
    },
  }
}

/** Runs a reader; undefined when it had to stop, and the rejections say why. */
export const untilStopped = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (failure) {
    if (failure !== STOPPED) throw failure
    return undefined
  }
}
