// Owns what every write looks at first, inside its transaction: has the store begun a new epoch, is the disk full?

import type { Ballast } from './ballast.ts'
import type { Connection } from './connection.ts'
import type { LaneCache } from './work.ts'

export interface Entrance {
  /** Says whether new work must be refused. A changed epoch voids what was cached: lanes may have other numbers now. */
  readonly enter: () => boolean
  /** As it was when it was last looked at. */
  readonly epoch: () => string | undefined
}

export const createEntrance = ({ sql }: Connection, lanes: LaneCache, ballast: Ballast): Entrance => {
  let epoch: string | undefined
  // One by one: a list of keys costs twice as much.
  const read = (key: string): string | undefined => sql.findMeta.get<{ value: string }>({ key })?.value
  return {
    epoch: () => epoch,
    enter: () => {
      const found = read('epoch')
      if (epoch !== found) lanes.clear()
      epoch = found
      ballast.hear(read('full') === '1')
      return ballast.isFull()
    },
  }
}
