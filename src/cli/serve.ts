// Owns the words of `pawl serve`. The process itself is serving.ts, loaded when it is asked for.

import type { Command } from 'commander'
import { examples, run, sub } from './command.ts'
import { working } from './worker.ts'

export const addServe = (program: Command): void => {
  const command = working(sub(program, 'serve', 'Serve the HTTP API and work, in one process'))
    .option('--host <address>', 'the address to listen on')
    .option('--port <n>', 'the port to listen on; 0 takes a free one')
    .option('--hosts <names>', 'further names it is called by: of a proxy, or in DNS')
    .option('--role <role>', 'all, server or worker')
    .action(run(async (session) => (await import('./serving.ts')).serve(session)))
  examples(
    command,
    'pawl serve --store sqlite:./pawl.db --definitions definitions/',
    'pawl serve --store postgres://… --role server --host 0.0.0.0',
    'pawl serve --store sqlite::memory: --clock virtual:2026-01-05T12:00:00Z',
  )
}
