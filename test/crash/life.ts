// Owns one process under attack as its attacker sees it: started, asked, signalled, and how it ended.

import { spawn } from 'node:child_process'
import { snapshotOf } from '../processes/snapshot.ts'
import type { Asked, Ending, Part, Said } from './part.ts'

export interface Life {
  readonly pid: number
  /** Rejects when it ended first. */
  readonly ready: Promise<unknown>
  /** Rejects when it ended first, or refused. */
  readonly ask: (asked: Asked) => Promise<unknown>
  readonly signal: (signal: NodeJS.Signals) => void
  readonly ended: Promise<NodeJS.Signals | number>
  readonly isOver: () => boolean
  readonly log: () => string
}

/** Refused for now: to be asked again. */
export class Passing extends Error {}

/** The process ended before it answered: whoever asked may ask another one. */
export class Ended extends Error {}

const KEPT = 4000
const PROGRAM = new URL('program.ts', import.meta.url)

/** Else the first life of whoever comes first waits for it. */
export const makeProgram = (): Promise<unknown> => snapshotOf(PROGRAM)

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export const startLife = async (part: Part, onEnding?: (ending: Ending) => void): Promise<Life> => {
  const child = spawn(process.execPath, [...(await snapshotOf(PROGRAM)), JSON.stringify(part)], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  let [asked, written, isOver] = [0, '', false]
  const wait = (number: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isOver) reject(new Ended())
      else waiting.set(number, { resolve, reject })
    })
  const ready = wait(0)
  ready.catch(() => undefined)
  child.stderr!.on('data', (chunk) => {
    written = (written + chunk).slice(-KEPT)
  })
  child.on('message', (said: Said) => {
    if (said.kind === 'ending') return onEnding?.(said)
    const { resolve, reject } = waiting.get(said.kind === 'ready' ? 0 : said.number)!
    if (said.kind === 'ready' || said.error === undefined)
      resolve(said.kind === 'ready' ? undefined : said.value)
    else reject(said.error.isPassing ? new Passing(said.error.message) : new Error(said.error.message))
  })
  // What it could not be sent any more is told by its end.
  child.on('error', () => undefined)
  const ended = new Promise<NodeJS.Signals | number>((resolve) => {
    child.once('exit', (code, signal) => {
      isOver = true
      for (const { reject } of waiting.values()) reject(new Ended())
      resolve(signal ?? code!)
    })
  })
  return {
    pid: child.pid!,
    ready,
    ask: (what) => {
      asked += 1
      const answer = wait(asked)
      if (!isOver) child.send({ number: asked, asked: what }, () => undefined)
      return answer
    },
    signal: (signal) => void child.kill(signal),
    ended,
    isOver: () => isOver,
    log: () => written,
  }
}
