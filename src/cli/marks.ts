// Owns the mark and colour of a status: a shape and a word, never colour alone.

import type { Terminal } from './terminal.ts'

const MARKS = {
  succeeded: ['green', '✓'],
  completed: ['green', '✓'],
  done: ['green', '✓'],
  running: ['blue', '▶'],
  active: ['blue', '▶'],
  open: ['blue', '○'],
  scheduled: ['dim', '○'],
  ready: ['dim', '○'],
  queued: ['dim', '○'],
  waiting: ['dim', '○'],
  retrying: ['yellow', '↻'],
  overdue: ['yellow', '!'],
  failed: ['red', '✕'],
  dead: ['magenta', '◆'],
  review: ['magenta', '?'],
  paused: ['cyan', '‖'],
  stopped: ['cyan', '‖'],
  cancelled: ['dim', '–'],
  skipped: ['dim', '–'],
} as const

export const marked = ({ style }: Terminal, status: string): string => {
  const [colour, mark] = MARKS[status as keyof typeof MARKS] ?? (['dim', '·'] as const)
  return `${style(colour, mark)} ${status}`
}
