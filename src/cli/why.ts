// Owns `pawl why`: what an action, a step or an execution waits for, in words.

import type { Command } from 'commander'
import type { Why } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import { examples, remote, run, sub } from './command.ts'
import { marked } from './marks.ts'
import { plainText } from './output.ts'
import type { Session } from './session.ts'

const lines = ({ terminal, when }: Session, { id, status, reasons, eta }: Why): readonly string[] => [
  `${terminal.style('bold', plainText(id))}  ${marked(terminal, status)}`,
  ...reasons.map(
    ({ code, text, until }) =>
      `  ${code.padEnd(12)} ${plainText(text)}${until === undefined ? '' : `  (until ${when(until)})`}`,
  ),
  ...(eta === undefined ? [] : [`  It will probably go on ${when(eta)}.`]),
]

/** An id of either: the server is asked for an action first. */
const ask = async (session: Session, id: string): Promise<Why> => {
  const client = await session.client()
  try {
    return await client.actions.why(id)
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== 'action_not_found') throw error
    return client.executions.why(id)
  }
}

const why = async (session: Session, id: string): Promise<void> => {
  const found = await ask(session, id)
  session.output.one(found, () => lines(session, found))
}

export const addWhy = (program: Command): void => {
  const command = remote(sub(program, 'why <id>', 'What is it waiting for?')).action(run(why))
  examples(command, 'pawl why act_01KTCT9ND', 'pawl why l_882', 'pawl why l_882/notice_received/notify')
}
