// Owns `pawl next`: when a cron, or a recurrence that is there, fires next, in words, in its own zone and with what clock
// changes do to it. A cron needs no server.

import type { Command } from 'commander'
import { examples, remote, run, sub } from './command.ts'
import type { Session } from './session.ts'

export const next = async (session: Session, text: string): Promise<void> =>
  (await import('./foretell.ts')).foretell(session, text)

/** The flags of both ways to ask. */
export const asNext = (command: Command): Command =>
  remote(command)
    .option('-n <count>', 'how many', '5')
    .option('--from <when>', 'after this instant, or from this date on')

export const addNext = (program: Command): void => {
  const command = asNext(sub(program, 'next <cron>', 'When a cron, or a recurrence by its id, fires next'))
  examples(
    command.action(run(next)),
    'pawl next "30 1 * * SUN" --tz Europe/London --from 2026-10-19',
    'pawl next weekday-digest -n 10',
  )
}
