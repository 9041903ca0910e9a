// Owns a thread beside the event loop, on a connection of its own to the store's file: it is started, asked one thing after the
// other, and ended. It keeps no process alive unless somebody waits for it, and is given nothing of this one but the file:
// neither its environment nor its flags.

import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** What ends every thread. */
export const END = 'end'

export interface Thread<Asked, Said> {
  /** Answered in the order they are asked. Rejects when there is no thread any more. */
  readonly ask: (what: Asked, isAwaited: boolean) => Promise<Said>
  /** When it is over with what it is at. */
  readonly close: () => Promise<void>
}

/** Only of a file that is there: none is made in its place. */
const addressOf = (file: string): string => {
  const address = pathToFileURL(file)
  address.searchParams.set('mode', 'rw')
  return address.href
}

/** Beside the module that asks for it, of the same kind: source or built. */
export const moduleOf = (name: string, beside: string): URL =>
  new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)

/**
 * This module was loaded to be kept in a snapshot of a process. Node aborts whoever starts a thread in a process that begins as
 * one, and nothing can be asked of it then: what is found out here is kept with the rest.
 */
const IS_KEPT = process.execArgv.some((flag) => /^--(build-snapshot|build-sea|experimental-sea)/.test(flag))

/** Throws, or rejects what is asked first, where no thread can be had. */
export const startThread = <Asked, Said>(module: URL, name: string, file: string): Thread<Asked, Said> => {
  if (IS_KEPT) throw new Error('a process that began as a snapshot can start no thread')
  const thread = new Worker(module, { name, workerData: addressOf(file), execArgv: [], env: {} })
  thread.unref()
  let waiting: PromiseWithResolvers<Said>[] = []
  let isClosing = false
  let isOver = false
  const over = Promise.withResolvers<void>()
  const fail = (error: unknown): void => {
    const left = waiting
    waiting = []
    for (const one of left) one.reject(error)
  }
  thread.on('message', (said: Said) => {
    if (!isClosing && waiting.length <= 1) thread.unref()
    waiting.shift()?.resolve(said)
  })
  thread.on('error', fail)
  thread.on('exit', () => {
    isOver = true
    fail(new Error('the thread ended'))
    over.resolve()
  })
  return {
    ask: (what, isAwaited) => {
      if (isOver) return Promise.reject(new Error('the thread ended'))
      const one = Promise.withResolvers<Said>()
      waiting.push(one)
      if (isAwaited) thread.ref()
      thread.postMessage(what)
      return one.promise
    },
    close: () => {
      isClosing = true
      if (!isOver) {
        thread.ref()
        thread.postMessage(END)
      }
      return over.promise
    },
  }
}
