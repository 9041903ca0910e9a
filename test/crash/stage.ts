// Owns what one attack stands on: a store, a receiver that answers as the workload wants it, what clients were told, and
// the processes it started, all of which are gone when it is closed.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { realTimers } from '../../src/engine/clock.ts'
import { type Call, openReceiver, type Reply } from '../processes/receiver.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { createDatabase, type Server } from '../stores/postgres-server.ts'
import { type Evidence, readStore } from './evidence.ts'
import { judge, type Verdict } from './judge.ts'
import { Ended, type Life, Passing, startLife } from './life.ts'
import type { Ending, Op, Part } from './part.ts'
import type { Script } from './workload.ts'

export interface Stage {
  readonly begin: (part?: Partial<Part>) => Promise<Life>
  /** Asks for what is left of a script. False: the process ended over it. */
  readonly play: (life: Life, script: Script) => Promise<boolean>
  readonly calls: () => readonly Call[]
  readonly onCall: (listener: Listener) => void
  readonly endings: readonly Ending[]
  /** How often a client was told to ask again. */
  readonly refusals: () => number
  /** Of the store, past whatever its processes are behind. */
  readonly url: string
  readonly evidence: () => Promise<Evidence>
  readonly judge: () => Promise<Verdict>
  readonly close: () => Promise<void>
}

/** Hears of every call when it has arrived, and again when it was answered. */
type Listener = (call: Call, side: 'before' | 'after') => void

export const LEASE_MS = 400
const SLOTS = 8
const SLOW_MS = 250

const askAgain = async (life: Life, op: Op, onRefusal: () => void): Promise<void> => {
  for (;;)
    try {
      return void (await life.ask(op))
    } catch (error) {
      if (!(error instanceof Passing)) throw error
      onRefusal()
      await realTimers.sleep(50)
    }
}

/** Answers by path; `/flaky` refuses the first call of each key. */
const createAnswers = (onCall: Listener) => {
  const seen = new Set<string>()
  return async (call: Call): Promise<Reply> => {
    const isFirst = !seen.has(call.key)
    seen.add(call.key)
    onCall(call, 'before')
    const reply = await replyTo(call, isFirst)
    // The answer is on its way when the next turn begins.
    setImmediate(() => onCall(call, 'after'))
    return reply
  }
}

const replyTo = async (call: Call, isFirst: boolean): Promise<Reply> => {
  if (call.path === '/refuse') return { status: 422 }
  if (call.path === '/flaky' && isFirst) return { status: 503 }
  await realTimers.sleep(call.path === '/slow' ? SLOW_MS : 5)
  return { status: 200, json: { id: `msg_${call.order}` } }
}

const urlOf = async (server: Server | undefined, folder: string): Promise<string> =>
  server === undefined ? `sqlite:${join(folder, 'pawl.db')}` : createDatabase(server)

/** On SQLite unless there is a server. `behind`: the address processes are given, when it is not the server's own. */
export const openStage = async (
  server?: Server,
  behind: (url: string) => Promise<string> = async (url) => url,
): Promise<Stage> => {
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-stage-'))
  const url = await urlOf(server, folder)
  const store = await behind(url)
  const receiver = await openReceiver()
  const lives: Life[] = []
  const accepted: Op[] = []
  const endings: Ending[] = []
  let listener: Listener = () => undefined
  let refusals = 0
  const onRefusal = (): void => {
    refusals += 1
  }
  receiver.answer(createAnswers((...told) => listener(...told)))

  const evidence = async (): Promise<Evidence> => ({
    ...(await readStore(url)),
    accepted,
    endings,
    calls: receiver.calls.map(({ key, body, path }) => ({ key, path, body: body.toString() })),
  })
  return {
    begin: async (part = {}) => {
      const usual: Part = { store, receiver: receiver.url, version: '1', leaseMs: LEASE_MS, slots: SLOTS }
      const life = await startLife({ ...usual, ...part }, (ending) => endings.push(ending))
      lives.push(life)
      return life
    },
    play: async (life, script) => {
      try {
        for (; script.done() < script.ops.length; script.advance()) {
          const op = script.ops[script.done()]!
          await askAgain(life, op, onRefusal)
          accepted.push(op)
        }
        return true
      } catch (error) {
        if (error instanceof Ended) return false
        throw new Error(`${(error as Error).message}\n${life.log()}`)
      }
    },
    calls: () => receiver.calls,
    onCall: (next) => {
      listener = next
    },
    endings,
    refusals: () => refusals,
    url,
    evidence,
    judge: async () => judge(await evidence()),
    close: async () => {
      for (const life of lives) life.signal('SIGKILL')
      await Promise.all(lives.map(({ ended }) => ended))
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
