// Owns what every write looks at first, inside its transaction: has the store begun a new epoch, is the disk full?

import type { Ballast } from './ballast.ts'
import type { Connection } from './connection.ts'
import type { LaneCache } from './work.ts'

/** Says whether new work must be refused. A changed epoch voids what was cached: lanes may have other numbers now. */
export const createEntrance = ({ sql }: Connection, lanes: LaneCache, ballast: Ballast): (() => boolean) => {
  let epoch: string | undefined
  return () => {
    const rows = sql.readState.all<{ key: string; value: string }>()
    const state = new Map(rows.map(({ key, value }) => [key, value]))
    if (epoch !== state.get('epoch')) lanes.clear()
    epoch = state.get('epoch')
    ballast.hear(state.get('full') === '1')
    return ballast.isFull()
  }
}
