// Owns a child process as a test sees it: started with a part, asked, signalled, and how it ended.

import { spawn } from 'node:child_process'
import { bundleOf } from './bundle.ts'
import type { Asked, Part, Said } from './part.ts'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Child {
  readonly pid: number
  /** Resolves once a runner of it has said the word. */
  readonly told: (word: string) => Promise<void>
  readonly ask: (asked: Asked) => Promise<unknown>
  readonly signal: (signal: NodeJS.Signals) => void
  /** How it ended. */
  readonly ended: Promise<Ended>
  /** Signals, and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<Ended>
  /** What it wrote to its standard error. */
  readonly log: () => string
}

const PROGRAM = new URL('./program.ts', import.meta.url)

type Waiting = Map<string, ReturnType<typeof Promise.withResolvers<unknown>>>

const hear = (waiting: Waiting, said: Said): void => {
  if (said.kind === 'answer') {
    const asked = waiting.get(`answer ${said.number}`)
    if (said.error === undefined) asked?.resolve(said.value)
    else asked?.reject(new Error(said.error))
  } else entry(waiting, said.kind === 'told' ? `told ${said.word}` : said.kind).resolve(undefined)
}

const entry = (waiting: Waiting, name: string): ReturnType<typeof Promise.withResolvers<unknown>> => {
  const known = waiting.get(name) ?? Promise.withResolvers<unknown>()
  waiting.set(name, known)
  // A child may end before anybody asks.
  known.promise.catch(() => undefined)
  return known
}

/** Resolves when it has opened the store and, if that is its part, works. */
export const startChild = async (part: Part): Promise<Child> => {
  const { program, env } = await bundleOf(PROGRAM)
  const child = spawn(process.execPath, [program, JSON.stringify(part)], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env,
  })
  const waiting: Waiting = new Map()
  let written = ''
  let asked = 0
  child.stderr!.on('data', (chunk) => {
    written = (written + chunk).slice(-20_000)
  })
  child.on('message', (said: Said) => hear(waiting, said))
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`it ended: ${code ?? signal} ${written}`))
      resolve({ code, signal })
    })
  })
  await entry(waiting, 'ready').promise
  return {
    pid: child.pid!,
    told: async (word) => void (await entry(waiting, `told ${word}`).promise),
    ask: (what) => {
      asked += 1
      const answer = entry(waiting, `answer ${asked}`).promise
      child.send({ number: asked, asked: what })
      return answer
    },
    signal: (signal) => void child.kill(signal),
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
    log: () => written,
  }
}
