// Owns the thread that copies the WAL, seen from the event loop: it is started, asked one thing at a time, and ended. It keeps
// no process alive, and is given nothing of this one but the file: neither its environment nor its flags.

import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Copied } from './rounds.ts'

export type Asked = 'most' | 'rest' | 'end'

export type Said = { readonly copied: Copied } | { readonly failed: string; readonly code: number }

export interface Backfiller {
  /** One at a time. Rejects when there is no thread any more. */
  readonly ask: (what: Exclude<Asked, 'end'>) => Promise<Said>
  /** When it is over with what it is at. */
  readonly close: () => Promise<void>
}

/** Beside this module, of the same kind: source or built. */
const MODULE = import.meta.url.endsWith('.ts') ? './backfill-thread.ts' : './backfill-thread.js'

/** Only of a file that is there: none is made in its place. */
const addressOf = (file: string): string => {
  const address = pathToFileURL(file)
  address.searchParams.set('mode', 'rw')
  return address.href
}

/**
 * This module was loaded to be kept in a snapshot of a process. Node aborts whoever starts a thread in a process that begins as
 * one, and nothing can be asked of it then: what is found out here is kept with the rest.
 */
const IS_KEPT = process.execArgv.some((flag) => /^--(build-snapshot|build-sea|experimental-sea)/.test(flag))

/** Throws, or rejects what is asked first, where no thread can be had. */
export const startBackfiller = (file: string): Backfiller => {
  if (IS_KEPT) throw new Error('a process that began as a snapshot can start no thread')
  const thread = new Worker(new URL(MODULE, import.meta.url), {
    name: 'pawl-backfill',
    workerData: addressOf(file),
    execArgv: [],
    env: {},
  })
  thread.unref()
  let waiting: PromiseWithResolvers<Said> | undefined
  let isClosing = false
  let isOver = false
  const over = Promise.withResolvers<void>()
  const fail = (error: unknown): void => {
    waiting?.reject(error)
    waiting = undefined
  }
  thread.on('message', (said: Said) => {
    if (!isClosing) thread.unref()
    waiting?.resolve(said)
    waiting = undefined
  })
  thread.on('error', fail)
  thread.on('exit', () => {
    isOver = true
    fail(new Error('the thread ended'))
    over.resolve()
  })
  return {
    ask: (what) => {
      if (isOver) return Promise.reject(new Error('the thread ended'))
      waiting = Promise.withResolvers<Said>()
      // The writer waits for it, and may be all that the process waits for.
      if (what === 'rest') thread.ref()
      thread.postMessage(what satisfies Asked)
      return waiting.promise
    },
    close: () => {
      isClosing = true
      if (!isOver) {
        thread.ref()
        thread.postMessage('end' satisfies Asked)
      }
      return over.promise
    },
  }
}
