// Owns writing beside the event loop: a thread writes what was dictated (dictation.ts), while the event loop runs and decides what
// comes next. SQLite is half of what a step of an execution costs, and a machine has more than one core: 1.5 times as many steps.
// S1  Nothing depends on it: what cannot be foreseen, what it undid, and everything where there is no thread is written here.
// S2  It is started by who writes a lot, and written for only once it is ready.
// S3  An answer comes when the disk has it; when none comes nobody knows, and nobody is told otherwise.

import { PawlError } from '../../core/errors.ts'
import type { Script } from './dictation.ts'
import type { Partner } from './others.ts'
import { moduleOf, startThread, type Thread } from './thread.ts'

export interface Asked {
  /** Of the store, as it is known here. */
  readonly epoch: string
  readonly script: Script
}

export type Said =
  /** It is on the disk. Had anybody else written since the one before? */
  | { readonly haveOthersWritten: boolean }
  /** Nothing of it was written. */
  | { readonly undone: string; readonly haveOthersWritten?: boolean }
  /** The disk did not say that it keeps it. */
  | { readonly lost: string }

export interface Scribing {
  readonly start: (file: string) => Thread<Asked, Said>
  /** What touches about so many rows is worth a thread. */
  readonly startFrom: number
  /** And so many are worth waking it, when it is there. */
  readonly from: number
}

export interface ScribeOptions extends Scribing {
  /** There is no thread (any more). */
  readonly onWarning: (message: string) => void
  /** The disk did not keep the WAL. */
  readonly onLost: (error: unknown) => void
}

export interface Scribe extends Partner {
  /** Could it write something of so many rows now? Where it could, but there is none yet, it is started. */
  readonly isReady: (weight: number) => boolean
  /** False: nothing of it was written. Rejects when it may have been. */
  readonly write: (asked: Asked) => Promise<boolean>
  /** When there is room for one more. */
  readonly room: () => Promise<void>
  /** The event loop has written. */
  readonly heardOfUs: () => void
  readonly close: () => Promise<void>
}

/** One is written while the next one is dictated, and that one waits while the disk is waited for. */
const MOST = 2

export const BY_THREAD: Scribing = {
  start: (file) => startThread(moduleOf('scribe-thread', import.meta.url), 'pawl-scribe', file),
  startFrom: 100,
  from: 40,
}

const noOne = (file: string, error: unknown): PawlError =>
  new PawlError(
    'store_unavailable',
    `${file} was being written, and nobody said what came of it: ${String(error)}`.slice(0, 300),
    { outcome: 'unknown' },
    error,
  )

export const NO_SCRIBE: Scribe = {
  isReady: () => false,
  write: () => Promise.resolve(false),
  room: () => Promise.resolve(),
  isWriting: () => false,
  turns: () => 0,
  strangers: () => 0,
  heardOfUs: () => undefined,
  close: () => Promise.resolve(),
}

/** How much was given to it, and what it saw. */
const createTally = () => {
  let underWay = 0
  let turns = 0
  let strangers = 0
  let haveWeWritten = true
  let changed = Promise.withResolvers<void>()
  return {
    underWay: () => underWay,
    turns: () => turns,
    strangers: () => strangers,
    /** Resolves with the next end. */
    changed: () => changed.promise,
    heardOfUs: (): void => {
      haveWeWritten = true
    },
    /** What it says of others is only about others if nothing was written here since the one before. */
    begin: (): ((haveOthersWritten: boolean) => void) => {
      const isAboutUs = haveWeWritten
      haveWeWritten = false
      underWay += 1
      turns += 1
      return (haveOthersWritten) => {
        underWay -= 1
        turns += 1
        if (haveOthersWritten && !isAboutUs) strangers += 1
        changed.resolve()
        changed = Promise.withResolvers()
      }
    },
  }
}

/** The thread: started when it is first asked for, there when it has first answered. */
const createOne = (file: string, { start, startFrom, from, onWarning }: ScribeOptions) => {
  let thread: Thread<Asked, Said> | undefined
  let stage: 'none' | 'starting' | 'ready' | 'off' = 'none'
  const giveUp = (error: unknown): void => {
    if (stage !== 'off') onWarning(`${file}: it is written by the event loop alone: ${String(error)}`)
    stage = 'off'
  }
  const begin = async (): Promise<void> => {
    stage = 'starting'
    try {
      thread = start(file)
      // An epoch that no store has: nothing is written.
      await thread.ask({ epoch: '', script: [] }, false)
      if (stage === 'starting') stage = 'ready'
    } catch (error) {
      giveUp(error)
    }
  }
  return {
    giveUp,
    isReady: (weight: number): boolean => {
      if (stage === 'none' && weight >= startFrom) void begin()
      return stage === 'ready' && weight >= from
    },
    ask: (asked: Asked): Promise<Said> => thread!.ask(asked, true),
    close: async (): Promise<void> => {
      stage = 'off'
      await thread?.close()
    },
  }
}

export const createScribe = (file: string, options: ScribeOptions): Scribe => {
  const tally = createTally()
  const one = createOne(file, options)
  const write: Scribe['write'] = async (asked) => {
    const end = tally.begin()
    let said: Said | undefined
    try {
      said = await one.ask(asked)
    } catch (error) {
      one.giveUp(error)
      throw noOne(file, error)
    } finally {
      end(said !== undefined && 'haveOthersWritten' in said && said.haveOthersWritten === true)
    }
    if ('lost' in said) {
      options.onLost(said.lost)
      throw noOne(file, said.lost)
    }
    return !('undone' in said)
  }
  return {
    isReady: one.isReady,
    write,
    room: async () => {
      while (tally.underWay() >= MOST) await tally.changed()
    },
    isWriting: () => tally.underWay() > 0,
    turns: tally.turns,
    strangers: tally.strangers,
    heardOfUs: tally.heardOfUs,
    close: one.close,
  }
}
