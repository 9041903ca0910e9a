// Owns from where on a lane is searched for what is due. Whoever keeps an old snapshot open keeps the index entries of all
// that was claimed since; a claim that begins at the lane's first entry passes them every time, one that begins where the
// last one ended passes none. What comes in below a mark is found when the lane gives less than it was asked for, and by a
// search without a mark now and then; what this process resumes may have been due long before, and is found at once.

import type { ClaimRequest } from '../store.ts'

type Share = ClaimRequest['shares'][number]

interface Row {
  readonly lane: number
  readonly due_at: number
  readonly id: string
}

/** A place in a lane: many may be due at one instant. */
type Mark = Pick<Row, 'due_at' | 'id'>

export interface Marks {
  /** Nothing that is known to be queued in the lane comes before. */
  readonly of: (lane: number) => Mark
  /** What the shares gave. A lane that gave all it was asked for is searched from there on. */
  readonly learn: (shares: readonly Share[], rows: readonly Row[]) => void
  /** All lanes are searched from their beginning. */
  readonly forget: () => void
}

/** Claims of a lane that one mark serves: about a second of them. */
const SERVES = 64
/** Before every instant. */
export const NO_MARK: Mark = { due_at: -1, id: '' }

const isBehind = (a: Mark, b: Mark): boolean => a.due_at > b.due_at || (a.due_at === b.due_at && a.id > b.id)

export const createMarks = (): Marks => {
  const marks = new Map<number, { readonly at: Mark; readonly served: number }>()
  return {
    of: (lane) => marks.get(lane)?.at ?? NO_MARK,
    learn: (shares, rows) => {
      const given = Map.groupBy(rows, ({ lane }) => lane)
      for (const { lane, n } of shares) {
        const got = given.get(lane) ?? []
        const served = (marks.get(lane)?.served ?? 0) + 1
        if (got.length < n || served > SERVES) marks.delete(lane)
        else marks.set(lane, { at: got.reduce((last, row) => (isBehind(row, last) ? row : last)), served })
      }
    },
    forget: () => marks.clear(),
  }
}
