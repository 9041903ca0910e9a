// Owns questions: asked only of a person, answered by --yes, and an error that names the flag where nobody can be asked.

import { createInterface } from 'node:readline/promises'
import { PawlError } from '../core/errors.ts'
import { Ended, EXIT } from './fail.ts'
import type { Session } from './session.ts'

/** Goes on when the answer is yes; ends the command when it is no. */
export const confirm = async ({ terminal, options }: Session, question: string): Promise<void> => {
  if (options['yes'] === true) return
  if (!terminal.canAsk)
    throw new PawlError('invalid_option', `${question} There is nobody to ask`, { expected: '--yes' })
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await asking.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Ended(EXIT.failed)
  } finally {
    asking.close()
  }
}
