// Owns what every write looks at first, inside its transaction: has the store begun a new epoch, is the disk full?

import type { Ballast } from './ballast.ts'
import type { Connection } from './connection.ts'
import type { LaneCache } from './work.ts'

/** Says whether new work must be refused. A changed epoch voids what was cached: lanes may have other numbers now. */
export const createEntrance = ({ sql }: Connection, lanes: LaneCache, ballast: Ballast): (() => boolean) => {
  let epoch: string | undefined
  // One by one: a list of keys costs twice as much.
  const read = (key: string): string | undefined => sql.findMeta.get<{ value: string }>({ key })?.value
  return () => {
    const found = read('epoch')
    if (epoch !== found) lanes.clear()
    epoch = found
    ballast.hear(read('full') === '1')
    return ballast.isFull()
  }
}
