// Owns `pawl tail`: every fact as it happens, until Ctrl-C. A connection that breaks is made again where it stopped.

import type { Command } from 'commander'
import type { Fact } from '../client/watch.ts'
import { examples, remote, run, sub } from './command.ts'
import { EXIT } from './fail.ts'
import { plainText } from './output.ts'
import type { Session } from './session.ts'
import { untilInterrupted } from './wait.ts'

const lineOf = ({ terminal, when }: Session, { type, at, execution, data }: Fact): string =>
  [
    terminal.style('dim', when(at)),
    type,
    ...(execution === undefined ? [] : [plainText(execution)]),
    terminal.style('dim', plainText(JSON.stringify(data))),
  ].join('  ')

const tail = async (session: Session): Promise<number> => {
  const { terminal, options, output } = session
  const client = await session.client()
  const { signal, release } = untilInterrupted()
  const most = options['limit'] === undefined ? Number.POSITIVE_INFINITY : Number(options['limit'])
  const execution = options['execution'] as string | undefined
  const after = options['after'] as string | undefined
  const onBreak = (): void => terminal.say(terminal.style('yellow', '! the connection broke; trying again'))
  const filter = execution === undefined ? {} : { execution }
  let count = 0
  try {
    for await (const fact of client.watch({
      filter,
      signal,
      onBreak,
      ...(after !== undefined && { after }),
    })) {
      output.streamed(fact, () => lineOf(session, fact))
      count += 1
      if (count >= most) return EXIT.ok
    }
    return EXIT.interrupted
  } finally {
    release()
  }
}

export const addTail = (program: Command): void => {
  const command = remote(sub(program, 'tail', 'Everything that happens, as it happens'))
    .option('--execution <id>', 'only of this execution')
    .option('--after <cursor>', 'from after this fact on')
    .option('--limit <n>', 'end after so many')
    .action(run(tail))
  examples(command, 'pawl tail', 'pawl tail --execution l_882 --jsonl')
}
