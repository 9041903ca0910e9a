// Owns `pawl migrate`: brings a store to the schema of this version, or says what would be applied.

import type { Command } from 'commander'
import { examples, run, sub } from './command.ts'
import { storeOf } from './given.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'

const migrate = async (session: Session): Promise<void> => {
  const { terminal, output, options } = session
  const store = storeOf(session)
  const [{ openStore }, { examineStore }] = await Promise.all([
    import('../pawl/open-store.ts'),
    import('./examine-store.ts'),
  ])
  const { engine, isNew, missing } = await examineStore(store)
  const isDry = options['dryRun'] === true
  if (!isDry && missing.length > 0) {
    const onWarning = (message: string): void => terminal.say(`${terminal.style('yellow', '!')} ${message}`)
    const opened = await openStore(store, { migrate: true, onWarning })
    await opened.store.close()
  }
  const told = { store: shownStore(store), engine, isNew, [isDry ? 'missing' : 'applied']: missing }
  output.one(told, () => {
    const what = missing.length === 0 ? 'nothing to apply' : missing.join(', ')
    const verb = missing.length === 0 ? '' : isDry ? 'would apply ' : 'applied '
    return [`${terminal.style('green', '✓')} ${shownStore(store)} (${engine})  ${verb}${what}`]
  })
}

export const addMigrate = (program: Command): void => {
  const command = sub(program, 'migrate', 'Bring a store to the schema of this version')
    .option('--dry-run', 'only say what would be applied')
    .action(run(migrate))
  examples(command, 'pawl migrate --store sqlite:./pawl.db', 'pawl migrate --store postgres://… --dry-run')
}
