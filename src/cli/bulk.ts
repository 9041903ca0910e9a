// Owns `pawl bulk …` and following a bulk operation: a bar on a terminal, a line now and then elsewhere. The operation is the
// server's: Ctrl-C stops the looking and says how to come back.

import type { Command } from 'commander'
import type { Bulk } from '../client/resources.ts'
import { realClock } from '../engine/clock.ts'
import { group, remote, run, sub } from './command.ts'
import { EXIT } from './fail.ts'
import { paged, showList } from './listed.ts'
import { marked } from './marks.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'
import { untilInterrupted } from './wait.ts'

const LOOK_MS = 250
const LINE_MS = 5000
const WIDTH = 24

const barOf = ({ done, total }: Bulk): string => {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.floor((done / total) * WIDTH))
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
}

const counted = ({ done, total, succeeded, failed }: Bulk): string =>
  `${done}/${total}  ✓ ${succeeded}  ✕ ${failed}`

const lines = ({ terminal }: Session, bulk: Bulk): readonly string[] => [
  `${terminal.style('bold', bulk.id)}  ${marked(terminal, bulk.status)}  ${counted(bulk)}`,
]

const show = (session: Session, bulk: Bulk): void => session.output.one(bulk, () => lines(session, bulk))

const isOver = ({ status }: Bulk): boolean => status !== 'running' && status !== 'paused'

/** One look at it: a bar, or a line when it is time for one. */
const createProgress = ({ terminal, output }: Session) => {
  let saidAt = Number.NEGATIVE_INFINITY
  return (bulk: Bulk): void => {
    if (output.isJson) return
    if (terminal.canDraw)
      terminal.redraw(`${bulk.id}  ${barOf(bulk)}  ${counted(bulk)}     Ctrl-C detaches, it keeps going`)
    else if (realClock.monotonic() - saidAt > LINE_MS) {
      saidAt = realClock.monotonic()
      terminal.say(counted(bulk))
    }
  }
}

export const followBulk = async (session: Session, id: string): Promise<number> => {
  const { terminal, output, options } = session
  const client = await session.client()
  const progress = createProgress(session)
  const { signal, release } = untilInterrupted()
  try {
    for (;;) {
      const bulk = await client.bulk.get(id)
      if (isOver(bulk) || options['detach'] === true) {
        output.one(bulk, () => lines(session, bulk))
        if (bulk.failed > 0) terminal.say(`pawl bulk failures ${id}`)
        return bulk.failed > 0 ? EXIT.endedBadly : EXIT.ok
      }
      if (signal.aborted) {
        terminal.say(`${id} goes on; come back with: pawl bulk watch ${id}`)
        return EXIT.interrupted
      }
      progress(bulk)
      await realClock.timers.sleep(LOOK_MS)
    }
  } finally {
    release()
  }
}

const columns = ({ terminal }: Session): readonly Column<Bulk>[] => [
  { title: 'STATUS', text: ({ status }) => marked(terminal, status) },
  { title: 'ID', text: ({ id }) => id },
  { title: 'DONE', text: ({ done, total }) => `${done}/${total}` },
  { title: 'OK', text: ({ succeeded }) => String(succeeded) },
  { title: 'FAILED', text: ({ failed }) => String(failed) },
]

const failures = async (session: Session, id: string): Promise<void> => {
  const listing = (await session.client()).bulk.failures(id)
  await showList(
    session,
    listing,
    [
      { title: 'ACTION', text: (row) => String(row['actionId'] ?? row['id']) },
      { title: 'ERROR', text: (row) => plainText(JSON.stringify(row['error'] ?? null)) },
    ],
    'None failed.',
  )
}

export const addBulk = (program: Command): void => {
  const bulk = group(program, 'bulk', 'Bulk operations: see, follow, stop')
  paged(remote(sub(bulk, 'list', 'List them, newest first'))).action(
    run(async (session) =>
      showList(session, (await session.client()).bulk.list(), columns(session), 'No bulk operations.'),
    ),
  )
  remote(sub(bulk, 'show <id>', 'Show one')).action(
    run(async (session, id) => show(session, await (await session.client()).bulk.get(id))),
  )
  remote(sub(bulk, 'watch <id>', 'Follow one until it ends')).action(run(followBulk))
  paged(remote(sub(bulk, 'failures <id>', 'What failed in one'))).action(run(failures))
  for (const verb of ['pause', 'resume', 'stop'] as const)
    remote(sub(bulk, `${verb} <id>`, `${verb[0]!.toUpperCase()}${verb.slice(1)} one`)).action(
      run(async (session, id) => show(session, await (await session.writing()).bulk[verb](id))),
    )
}
