// The rows of `why` that take a worker: what runs, what is asked to stop, what waits for a place, what is put off because its
// worker was lost, what stands still with its execution or definition. How each comes about, and what is said of it.

import { realClock } from '../../src/engine/clock.ts'
import { createLog } from '../../src/engine/log.ts'
import { createSuspects } from '../../src/engine/suspects.ts'
import type { PawlOptions } from '../../src/index.ts'
import type { OpenedParts } from '../../src/pawl/open.ts'
import { gate, spy, until } from '../engine/spies.ts'
import { flow, job } from '../engine/why-cases.ts'

export interface HeldCase {
  readonly code: string
  readonly text: RegExp
  readonly options: Partial<PawlOptions>
  /** Brings it about and answers whose reasons are asked for. */
  readonly begin: (opened: OpenedParts) => Promise<string>
  /** Lets go of what is under way. */
  readonly end?: () => void
}

/** One that runs until it is let go. */
const running = (
  code: string,
  text: RegExp,
  then: (opened: OpenedParts, id: string, more: () => Promise<string>) => Promise<string>,
): HeldCase => {
  const { pass, reached, open } = gate()
  const slow = spy('slow', pass)
  const limit = { key: 'k', concurrency: 1 }
  return {
    code,
    text,
    options: { runners: [slow], clock: 'real' },
    begin: async (opened) => {
      await opened.pawl.work()
      const ask = async (): Promise<string> => (await opened.pawl.dispatch(slow({}), { limit })).id
      const id = await ask()
      await reached
      return then(opened, id, ask)
    },
    end: open,
  }
}

/** As a worker does it with the second of two whose workers were lost again. */
const putOff = async ({ pawl, ports }: OpenedParts): Promise<string> => {
  for (const n of [1, 2]) await pawl.dispatch(job('ok', { name: `job ${n}` }))
  const now = pawl.now()
  const [lane] = await ports.store.heads({ now })
  const rows = await ports.store.claim({
    ...{ now, shares: [{ lane: lane!.lane, n: 2 }], batch: 2, worker: 'w', nonce: 'n', leaseMs: 60_000 },
    byteBudget: 1e6,
  })
  const lost = rows.flatMap((row) => ('plan' in row ? [{ ...row, reaps: 2 }] : []))
  const commit = async (member: Parameters<typeof ports.store.commit>[0][number]) =>
    (await ports.store.commit([member]))[0]!
  const clock = { ...realClock, now: () => now }
  await createSuspects({ commit, clock, log: createLog(() => undefined) }, 8).admit(lost)
  return lost[1]!.id
}

const letterOf = async ({ pawl }: OpenedParts): Promise<string> => {
  await pawl.work({ slots: 0 })
  await pawl.start(flow, { id: 'f', variables: {} })
  await pawl.send('f', 'ask')
  return (await pawl.actions.list({ execution: 'f' })).data[0]!.id
}

const FLOW = { runners: [job], definitions: [flow] }

export const heldCases = (): readonly HeldCase[] => [
  running('running', /^wrk_\w+ runs it$/, async (_, id) => id),
  running('cancelling', /^wrk_\w+ runs it, and was asked to stop$/, async ({ pawl }, id) => {
    await pawl.actions.cancel(id)
    return id
  }),
  running(
    'concurrency',
    /^“k” lets only 1 run at a time: 1 run and 0 wait before it; it is called/,
    async ({ pawl }, _, more) => {
      const id = await more()
      await until(async () => (await pawl.actions.get(id))?.hold === 'concurrency:k')
      return id
    },
  ),
  {
    code: 'suspect',
    text: /^its worker was lost while it ran: few such actions run at a time/,
    options: { runners: [job] },
    begin: putOff,
  },
  {
    code: 'paused_execution',
    text: /^the execution “f” is paused since .*: holiday; resume it$/,
    options: FLOW,
    begin: async (opened) => {
      const id = await letterOf(opened)
      await opened.pawl.executions.pause('f', 'holiday')
      return id
    },
  },
  {
    code: 'paused_definition',
    text: /^the definition “flow” is paused since .*: rework; resume it$/,
    options: FLOW,
    begin: async (opened) => {
      const id = await letterOf(opened)
      await opened.pawl.pause({ definition: 'flow' }, 'rework')
      return id
    },
  },
]
