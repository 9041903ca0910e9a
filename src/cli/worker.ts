// Owns the words of `pawl worker`, and the flags of every process that works. The process itself is working.ts.

import type { Command } from 'commander'
import { examples, run, sub } from './command.ts'

/** The flags of a process that works. */
export const working = (command: Command): Command =>
  command
    .option('--definitions <path>', 'a directory or a file: JSON, YAML, TypeScript')
    .option('--slots <n>', 'attempts at the same time')
    .option('--drain <duration>', 'how long running attempts may take at the end')
    .option('--lease <duration>', 'what a killed worker did goes on after this')
    .option('--clock <clock>', 'real, or virtual:<instant>')
    .option('--migrate', 'bring an older store up to date')
    .option('--sandbox', 'built-in runners send nothing and keep what they would have sent')
    .option('--egress-allow <list>', 'private addresses that runners may reach')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .option('--log-format <format>', 'json or pretty')
    .option('--log-levels <list>', 'of components: http=warn,worker=debug')

export const addWorker = (program: Command): void => {
  const command = working(
    sub(program, 'worker', 'Run actions; any number of these may share a store'),
  ).action(run(async (session) => (await import('./working.ts')).work(session)))
  examples(command, 'pawl worker --store postgres://… --definitions definitions/ --slots 128')
}
