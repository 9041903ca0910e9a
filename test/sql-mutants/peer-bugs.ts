// Owns the bugs that engines like this one shipped (RELIABILITY.md §5), as changes to our own code: the number, and what
// would be wrong. A change whose place is gone fails loudly, so that the list follows the code.

import type { StoreName } from '../../scripts/build-sql.ts'

export interface PeerBug {
  readonly store: StoreName
  readonly file: string
  readonly what: string
  readonly found: string
  readonly instead: string
}

export const PEER_BUGS: readonly PeerBug[] = [
  {
    store: 'sqlite',
    file: 'src/engine/settlement.ts',
    what: 'B2, B16: an expired claim is reaped though its holder has extended it meanwhile',
    found: '...(isReaped && { onlyIfExpired: true }),',
    instead: '',
  },
  {
    store: 'sqlite',
    file: 'src/store/sqlite/actions.ts',
    what: 'B18: an action that ended stays among the live ones',
    found: 'work.sql.deleteAction.run({ row })',
    instead: '',
  },
  {
    store: 'sqlite',
    file: 'src/store/sqlite/settle.ts',
    what: 'B14: a dead action keeps the key of its queue',
    found: "if (status !== 'review')",
    instead: "if (status !== 'review' && status !== 'dead')",
  },
  {
    store: 'sqlite',
    file: 'src/store/sqlite/writer.ts',
    what: 'B28: a transaction that begins as a reader',
    found: "db.exec('begin immediate')",
    instead: "db.exec('begin')",
  },
]
