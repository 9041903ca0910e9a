// A few of the mutants; `npm run torture` tries them all.

import { expect, it } from 'vitest'
import { sqlMutants } from './run.ts'

const SAMPLE = { isQuick: true, isQuiet: true, stores: ['sqlite'] } as const
/** Each is tried in a process of its own, on whatever machine. */
const LIMIT_MS = 400_000

it(
  'RELIABILITY §5: of fifteen mutants of the SQL none lives',
  async () => {
    const { isHeld, summary } = await sqlMutants({ ...SAMPLE, size: 15 })
    expect(summary).toMatchObject({ survived: [], mistaken: [], red: [] })
    expect(isHeld).toBe(true)
  },
  LIMIT_MS,
)

it(
  'is red when nobody judges',
  async () => {
    const { isHeld, summary } = await sqlMutants({ ...SAMPLE, size: 3, isBlind: true })
    expect(summary.survived.length + summary.stillborn).toBe(3)
    expect(isHeld).toBe(false)
  },
  LIMIT_MS,
)
