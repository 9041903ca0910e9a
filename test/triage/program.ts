// A worker of the attack on bulk operations. Each start of its runner is a line of a file, written before anything else, so
// that no kill can hide it. argv: the store, the file.

import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { Pawl, runner } from '../../src/index.ts'

const [store, file] = process.argv.slice(2) as [string, string]

const letter = runner({
  type: 'letter',
  config: z.json(),
  execute: ({ ctx }) => {
    appendFileSync(file, `${ctx.stepKey}\n`)
    return null
  },
})

const begin = async (): Promise<void> => {
  const pawl = await Pawl.open({
    store,
    runners: [letter],
    leaseMs: 1000,
    builtIns: false,
    // Kills and a busy machine make warnings; an error is one.
    log: (level, message, fields) => (level === 'error' ? console.error(message, fields) : undefined),
  })
  await pawl.work()
  process.send!('ready')
  // One that is killed would take what it compiled along.
  flushCompileCache()
}

// Whoever started it is gone: nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
void begin()
