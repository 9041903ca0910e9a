// A child process of the tests: opens the store as its part says, works if it says so, and does what it is asked.
// argv: the part, as JSON.

import { flushCompileCache } from 'node:module'
import { Pawl } from '../../src/index.ts'
import { definitionsOf, go, hold, mend, runnersOf, trace } from './cast.ts'
import type { Asked, Part, Request, Said } from './part.ts'

const { definitions = [], runners = [], work, holds, ...rest }: Part = JSON.parse(process.argv[2]!)
const say = (said: Said): unknown => process.send!(said)

const fulfil = async (pawl: Pawl, asked: Asked): Promise<unknown> => {
  switch (asked.verb) {
    case 'start':
      return (await pawl.start(asked.definition, { id: asked.id, variables: asked.variables })).isNew
    case 'send':
      return pawl.send(asked.execution, asked.type, {}, { id: asked.id })
    case 'resume':
      return pawl.executions.resume(asked.execution)
    case 'mend':
      return mend()
    case 'go':
      return go()
    case 'trace':
      return trace
  }
}

const begin = async (): Promise<void> => {
  if (holds) hold()
  const pawl = await Pawl.open({
    ...rest,
    definitions: definitionsOf(definitions),
    runners: runnersOf(runners),
    builtIns: false,
    egress: { allow: ['127.0.0.0/8'] },
  })
  process.on('message', ({ number, asked }: Request) => {
    fulfil(pawl, asked).then(
      (value) => say({ kind: 'answer', number, value }),
      (error: unknown) => say({ kind: 'answer', number, error: String(error) }),
    )
  })
  if (work?.signals) process.once('SIGTERM', () => say({ kind: 'told', word: 'signalled' }))
  if (work !== undefined) await pawl.work(work)
  say({ kind: 'ready' })
  // One that is killed would take what it compiled along.
  flushCompileCache()
}

// Whoever started it is gone: nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
void begin()
