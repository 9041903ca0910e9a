// Owns the process of `pawl worker`: it runs actions and serves nobody. Any number of them may work on one store.

import { openParts } from '../pawl/open.ts'
import { Ended, EXIT } from './fail.ts'
import { setting, storeOf } from './given.ts'
import { stayAlive, untilAsked } from './lifetime.ts'
import { createObserving } from './observing.ts'
import { openOptions, ownDefinitions } from './open-options.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'
import { tellProblems } from './validate.ts'

/** Definitions without errors, and everything opened on them. */
export const openWorking = async (session: Session) => {
  const read = await ownDefinitions(session)
  if (read !== undefined && tellProblems(session, read) > 0) throw new Ended(EXIT.usage)
  const observing = createObserving(session)
  const options = openOptions(session, read)
  const opened = await openParts({
    ...options,
    ...(session.options['sandbox'] === true && { provider: 'sandbox' as const }),
    log: observing.log,
    observer: observing.observer,
  })
  const { definitions = [] } = options
  const machines = definitions.filter(({ kind }) => kind === 'machine').map(({ id }) => id)
  return { observing, opened, names: definitions.map(({ id }) => id), machines }
}

export const work = async (session: Session): Promise<void> => {
  const { terminal } = session
  const { opened, names } = await openWorking(session)
  const release = stayAlive()
  try {
    const asked = untilAsked()
    const stop = await opened.pawl.work({ slots: setting<number>(session, 'slots')! })
    const store = shownStore(storeOf(session))
    terminal.say(`${terminal.style('green', '✓')} working on ${store}  ${names.join(', ')}`)
    terminal.say('  Ctrl-C lets what runs finish; again ends at once')
    await asked
    terminal.say('draining')
    await stop()
  } finally {
    await opened.pawl.close()
    release()
  }
}
