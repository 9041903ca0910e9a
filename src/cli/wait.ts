// Owns waiting for an action to end: until it has, until the time is over, or until Ctrl-C, after which it goes on without
// us. How it ended is the exit code.

import type { Command } from 'commander'
import { durationMs } from '../core/time/duration.ts'
import { realClock } from '../engine/clock.ts'
import { showAction } from './action-view.ts'
import { EXIT } from './fail.ts'
import type { Session } from './session.ts'

export const waiting = (command: Command): Command =>
  command
    .option('--wait', 'wait until it has ended')
    .option('--timeout <duration>', 'wait at most this long', '10m')

const ENDED = ['succeeded', 'dead', 'review', 'cancelled', 'skipped']
const LOOK_MS = 250

/** Ctrl-C ends the waiting, never what is waited for. */
export const untilInterrupted = (): { readonly signal: AbortSignal; readonly release: () => void } => {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort()
  process.once('SIGINT', interrupt)
  return { signal: controller.signal, release: () => void process.off('SIGINT', interrupt) }
}

export const awaitAction = async (session: Session, id: string): Promise<number> => {
  const { terminal, options } = session
  const client = await session.client()
  const until = realClock.monotonic() + durationMs(String(options['timeout'] ?? '10m'), '--timeout')
  const { signal, release } = untilInterrupted()
  try {
    for (;;) {
      const action = await client.actions.get(id)
      if (ENDED.includes(action.status)) {
        showAction(session, action)
        return action.status === 'succeeded' ? EXIT.ok : EXIT.endedBadly
      }
      if (signal.aborted || realClock.monotonic() > until) {
        terminal.say(`${id} is ${action.shown}, and goes on; come back with: pawl actions get ${id}`)
        return signal.aborted ? EXIT.interrupted : EXIT.stillPending
      }
      terminal.redraw(`${id} is ${action.shown}`)
      await realClock.timers.sleep(LOOK_MS)
    }
  } finally {
    release()
  }
}
