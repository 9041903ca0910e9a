// Owns the exhaustive proof: a scenario is run once to count the points at which its engine could die, then once more for
// each of them, dying there, with another process going on. Not random: complete for that scenario.

import { messageOf } from '../engine/log.ts'
import { type CrashPoint, describePoint } from './crash.ts'
import type { TestPawl } from './test-pawl.ts'

export interface CrashTrial {
  /** A new one for every run, on a store of its own. */
  readonly open: () => Promise<TestPawl>
  /** What a client does. After a crash it is done again from its beginning, so it names its ids. */
  readonly scenario: (pawl: TestPawl) => Promise<void>
  /** What must hold at the end, wherever it died; throws otherwise. */
  readonly check: (pawl: TestPawl, point: CrashPoint | undefined) => void | Promise<void>
}

export interface CrashReport {
  /** The points that were tried. */
  readonly points: readonly CrashPoint[]
  /** Those the second run did not get to: the scenario is not the same every time. */
  readonly unreached: readonly CrashPoint[]
}

/**
 * Dies at every point of a scenario, one at a time.
 * @example
 * await atEveryCrashPoint({
 *   open: () => testPawl({ definitions: [lease], runners: [email] }),
 *   scenario: async (pawl) => {
 *     await pawl.start(lease, { id: 'l_1', variables })
 *     await pawl.advance({ by: '60d' })
 *   },
 *   check: (pawl) => assert.equal(new Set(pawl.performed(email).map(({ key }) => key)).size, 1),
 * })
 */
export const atEveryCrashPoint = async ({ open, scenario, check }: CrashTrial): Promise<CrashReport> => {
  const points = await countPoints({ open, scenario, check })
  const unreached: CrashPoint[] = []
  for (const point of points) {
    await using pawl = await open()
    pawl.crash(point)
    try {
      await scenario(pawl)
    } catch (error) {
      if (!pawl.hasCrashed()) throw at(point, error)
    }
    if (!pawl.hasCrashed()) unreached.push(point)
    try {
      await pawl.restart()
      await scenario(pawl)
      await check(pawl, point)
    } catch (error) {
      throw at(point, error)
    }
  }
  return { points, unreached }
}

const countPoints = async ({ open, scenario, check }: CrashTrial): Promise<readonly CrashPoint[]> => {
  await using pawl = await open()
  await scenario(pawl)
  const places = [...pawl.crashPlaces()]
  await check(pawl, undefined)
  return places.map((place, index) => ({
    at: place,
    nth: places.slice(0, index + 1).filter((each) => each === place).length,
  }))
}

const at = (point: CrashPoint, error: unknown): Error =>
  new Error(`after a crash ${describePoint(point)}: ${messageOf(error)}`, { cause: error })
