// A process under attack: opens the store, works, does what clients ask of it, and dies where its part says.
// argv: the part, as JSON. It is started from a snapshot, in which machines of both versions are already made.

import type { DatabaseSync } from 'node:sqlite'
import { startupSnapshot } from 'node:v8'
import { PawlError, REGISTRY } from '../../src/core/errors.ts'
import { realTimers } from '../../src/engine/clock.ts'
import { openWith } from '../../src/pawl/open.ts'
import { openStore } from '../../src/pawl/open-store.ts'
import type { Pawl } from '../../src/pawl/surface.ts'
import { migrations } from '../../src/store/sqlite/generated/sql.ts'
import { madeBy } from '../../src/store/sqlite/schema.ts'
import { MADE } from '../processes/made-schema.ts'
import { createCast } from './cast.ts'
import type { Asked, Op, Part, Refusal, Request, Said } from './part.ts'
import { createPoints, pointed } from './points.ts'

let receiver: string
const points = createPoints()
const castOf = (version: string) => createCast(() => receiver, version, points)
const CASTS = { '1': castOf('1'), '2': castOf('2') }
/** The same of every version. */
const { direct, recurrence } = CASTS['1']

/** Whoever opens a file holds it against what the migrations make; who asks here finds that in place of a database. */
const seeSchema = (): void => {
  const seen = { exec: () => undefined, prepare: () => ({ all: () => MADE }), close: () => undefined }
  const Seen = new Proxy(Object, { construct: () => seen })
  madeBy(Seen as unknown as typeof DatabaseSync, migrations)
}
seeSchema()

const say = (said: Said): unknown => process.send!(said)

const open = ({ store, version, leaseMs, drainMs, flow, testifies }: Part): Promise<Pawl> =>
  openWith(
    {
      store,
      runners: CASTS[version].runners,
      definitions: CASTS[version].definitions,
      builtIns: false,
      leaseMs,
      ...(drainMs !== undefined && { drainMs }),
      ...(flow !== undefined && { flow }),
      egress: { allow: ['127.0.0.0/8'] },
    },
    {
      openStore: async (name, options) =>
        pointed(await openStore(name, options), points, (ending) => {
          if (testifies) say({ kind: 'ending', ...ending })
        }),
    },
  )

/** Who dispatches again is told which action it is. */
const idOf = async (pawl: Pawl, late: string): Promise<string> =>
  (await pawl.dispatch(direct('late', late), { id: late })).id

const outlast = async (pawl: Pawl, id: string): Promise<void> => {
  for (;;) {
    const stored = await pawl.recurring.get(id)
    // Asked for again, it may be over for good.
    if (stored === undefined) return
    const { enabled, executionCount, successCount, failureCount } = stored
    if (!enabled && executionCount === successCount + failureCount) return
    await realTimers.sleep(25)
  }
}

const perform = async (pawl: Pawl, op: Op): Promise<unknown> => {
  switch (op.verb) {
    case 'start':
      return (await pawl.start(op.definition, { id: op.execution, variables: op.variables })).isNew
    case 'send':
      return pawl.send(op.execution, op.type, {}, { id: op.event })
    case 'dispatch':
      return pawl.dispatch(direct(op.kind, op.action), { id: op.action })
    case 'recur':
      return pawl.recurring.create(recurrence(op.execution))
    case 'outlast':
      return outlast(pawl, op.execution)
    case 'cancel':
      return pawl.executions.cancel(op.execution)
    case 'cancel_action':
      return pawl.actions.cancel(await idOf(pawl, op.action))
  }
}

/** A cancel that is asked for again finds it done. */
const isDone = async (pawl: Pawl, op: Op): Promise<boolean> => {
  if (op.verb === 'cancel') return (await pawl.executions.get(op.execution))?.status === 'cancelled'
  if (op.verb !== 'cancel_action') return false
  return (await pawl.actions.get(await idOf(pawl, op.action)))?.status === 'cancelled'
}

/** Nothing has changed for so long: whatever is open is stuck, and that is for the judge to say. */
const STUCK_MS = 30_000

const quiet = async (pawl: Pawl): Promise<boolean> => {
  let [before, since] = ['', performance.now()]
  while (performance.now() - since < STUCK_MS) {
    const { actions, executions } = await pawl.counts()
    if (actions.queued + actions.running + executions.active + executions.waiting === 0) return true
    const now = JSON.stringify([actions, executions])
    if (now !== before) [before, since] = [now, performance.now()]
    await realTimers.sleep(25)
  }
  return false
}

const fulfil = async (pawl: Pawl, asked: Asked): Promise<unknown> => {
  if (asked.verb === 'quiet') return quiet(pawl)
  if (asked.verb === 'arm') return points.arm(asked.dies)
  try {
    return await perform(pawl, asked)
  } catch (error) {
    if (await isDone(pawl, asked)) return null
    throw error
  }
}

const refusalOf = (error: unknown): Refusal => ({
  message: String(error),
  isPassing: error instanceof PawlError && REGISTRY[error.code].retryable,
})

const begin = async (part: Part): Promise<void> => {
  // Whoever started it is gone: nobody would end it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  receiver = part.receiver
  points.arm(part.dies)
  const pawl = await open(part)
  process.on('message', ({ number, asked }: Request) => {
    fulfil(pawl, asked).then(
      (value) => say({ kind: 'answer', number, value }),
      (error: unknown) => say({ kind: 'answer', number, error: refusalOf(error) }),
    )
  })
  await pawl.work({ slots: part.slots, signals: true })
  say({ kind: 'ready' })
}
startupSnapshot.setDeserializeMainFunction(() => void begin(JSON.parse(process.argv[2]!)))
