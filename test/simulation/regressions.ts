// Owns the seeds that once broke a world, and what they showed: each is told again with every test run. A seed tells its
// story only as long as the world draws as it did then; whoever changes what is drawn looks for a seed that shows the
// same with the mend taken back.

import type { Course } from './run-world.ts'

/** Of the worlds in which these broke. */
const LONGER: Course = { steps: 220, ask: 0.1, asks: 24, alone: 0.7 }
const WIDER: Course = { steps: 200, ask: 0.15, asks: 14, alone: 0.7 }
const SHORTER: Course = { steps: 180, ask: 0.15, asks: 9, alone: 0.9 }

interface Regression {
  readonly seed: number
  readonly what: string
  readonly course: Course
}

const inLonger: readonly Omit<Regression, 'course'>[] = [
  { seed: 14, what: 'a process whose clock is ahead of the store asked for one timer every millisecond' },
  { seed: 1796, what: 'a pause in the batch that claimed an action was taken for one before it' },
  {
    seed: 47,
    what: 'a process whose clock is behind the store’s armed the timer of a recurrence again and again',
  },
  { seed: 5, what: 'a recurrence waited for actions it had cancelled itself' },
  {
    seed: 441,
    what: 'of several occurrences that fired in one step, all were to run where only the last may',
  },
  { seed: 267, what: 'two runs asked for in one millisecond had one row' },
  { seed: 1509, what: 'a run that was claimed while it was cancelled no longer counted as under way' },
  { seed: 324, what: 'an attempt that waited for its turn began after its lease had run out' },
]

const inWider: readonly Omit<Regression, 'course'>[] = [
  { seed: 101037, what: 'a recurrence that had ended was armed again where a clock was behind' },
  { seed: 101363, what: 'what was held by a clock that was behind was claimed and held without end' },
  { seed: 103119, what: 'what was cancelled while it was claimed went back to wait' },
]

export const REGRESSIONS: readonly Regression[] = [
  ...inLonger.map((each) => ({ ...each, course: LONGER })),
  ...inWider.map((each) => ({ ...each, course: WIDER })),
  {
    seed: 2057,
    what: 'an effect that was looked for in vain was made after the lease had run out',
    course: SHORTER,
  },
  {
    seed: 2460,
    what: 'what was to be cancelled was put off with caution, although it would not have been run',
    course: SHORTER,
  },
]
