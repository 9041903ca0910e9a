// Owns the end of a command that failed: what is wrong, what was expected, the nearest thing that exists, where to read on;
// and the exit code that the registry gives its error.

import { CommanderError } from 'commander'
import { PawlError, REGISTRY } from '../core/errors.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes that are no error's: the thing that was waited for ended badly, or has not ended in time. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  endedBadly: 5,
  stillPending: 8,
  interrupted: 130,
  terminated: 143,
} as const

/** A command has said what there is to say, and ends with this code. */
export class Ended extends Error {
  readonly exit: number
  constructor(exit: number) {
    super(`exit ${exit}`)
    this.exit = exit
  }
}

const linesOf = (error: PawlError, { style }: Terminal): readonly string[] => {
  const { path, expected, suggestion, requestId } = error.details
  return [
    `${style('red', '✕')} ${error.message}`,
    ...(path === undefined || error.message.includes(path) ? [] : [`    at        ${path}`]),
    ...(expected === undefined ? [] : [`    expected  ${expected}`]),
    ...(suggestion === undefined ? [] : [`    did you mean  ${suggestion}`]),
    style(
      'dim',
      `    ${error.code}${requestId === undefined ? '' : ` · request ${String(requestId)}`} · docs/reference/errors.md`,
    ),
  ]
}

/** Says what went wrong; answers the exit code. */
export const fail = (error: unknown, terminal: Terminal, isDebug: boolean): number => {
  if (error instanceof Ended) return error.exit
  // Commander has said it itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (error instanceof PawlError) {
    for (const line of linesOf(error, terminal)) terminal.say(line)
    if (isDebug) terminal.say(String(error.stack))
    return REGISTRY[error.code].exit
  }
  terminal.say(`${terminal.style('red', '✕')} ${error instanceof Error ? error.message : String(error)}`)
  terminal.say(isDebug && error instanceof Error ? String(error.stack) : '    PAWL_DEBUG=1 shows where')
  return EXIT.failed
}
