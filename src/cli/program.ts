// Owns the list of commands. Each is a file of its own that adds itself; `recurring` and others join here.

import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { addActions } from './actions.ts'
import { addAgenda } from './agenda.ts'
import { addApi } from './api.ts'
import { addBulk } from './bulk.ts'
import { addCompletion } from './completion.ts'
import { addConfig } from './config.ts'
import { addDead } from './dead.ts'
import { addDefinitions } from './definitions.ts'
import { addDoctor } from './doctor.ts'
import { addExecutions } from './executions.ts'
import { addMigrate } from './migrate.ts'
import { addNext } from './next.ts'
import { addKeys, addSecrets, addTasks } from './office.ts'
import { addProfile } from './profile.ts'
import { addRecurring } from './recurring.ts'
import { addServe } from './serve.ts'
import { addStatus } from './status.ts'
import { addTail } from './tail.ts'
import { addValidate } from './validate.ts'
import { addVerify } from './verify.ts'
import { addWhy } from './why.ts'
import { addWorker } from './worker.ts'

const ALL: readonly ((program: Command) => void)[] = [
  addServe,
  addWorker,
  addMigrate,
  addVerify,
  addDoctor,
  addValidate,
  addDefinitions,
  addExecutions,
  addActions,
  addDead,
  addBulk,
  addRecurring,
  addNext,
  addWhy,
  addTail,
  addStatus,
  addAgenda,
  addTasks,
  addKeys,
  addSecrets,
  addApi,
  addProfile,
  addConfig,
  addCompletion,
]

export const createProgram = (): Command => {
  const program = new Command('pawl')
    .description('Durable actions: five ways to trigger, one way to execute.')
    .version(VERSION, '-v, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(--help shows what there is)')
  for (const add of ALL) add(program)
  return program
}
