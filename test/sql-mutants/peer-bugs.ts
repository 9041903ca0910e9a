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
    file: 'src/engine/heads.ts',
    what: 'B3: lanes of types that nobody here can run are claimed',
    found: 'closed: paused || !isOffered(type)',
    instead: 'closed: paused',
  },
  {
    store: 'sqlite',
    file: 'src/store/sqlite/check.ts',
    what: 'B5: a timer that another process has fired is fired again',
    found: 'return sql.findTimer.get({ namespace, tenant, execution, key: timerKey(event) }) === undefined',
    instead: 'return false',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/check.ts',
    what: 'B5: a timer that another process has fired is fired again',
    found: 'return draft.timers.get(at(timerKey(event))) === undefined',
    instead: 'return false',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/names.ts',
    what: 'B17: an empty id is an id',
    found: "id !== '' && ",
    instead: '',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/names.ts',
    what: 'B17: an empty namespace is one',
    found: "namespace !== '' && ",
    instead: '',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/names.ts',
    what: 'B17: an empty tenant is one',
    found: " && tenant !== ''",
    instead: '',
  },
  {
    store: 'sqlite',
    file: 'src/engine/ids.ts',
    what: 'B17: an empty id is an id',
    found: 'id.length > 0 &&',
    instead: '',
  },
  {
    store: 'sqlite',
    file: 'src/engine/clock.ts',
    what: 'B22: a long sleep is given to Node as it is',
    found: 'setTimeout(resolve, Math.min(ms, LONGEST_WAIT))',
    instead: 'setTimeout(resolve, ms)',
  },
  {
    store: 'sqlite',
    file: 'src/engine/clock.ts',
    what: 'B22: a long timeout is given to Node as it is',
    found: 'Math.max(0, Math.min(ms, LONGEST_WAIT))',
    instead: 'Math.max(0, ms)',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/connections.ts',
    what: 'B27: the statements of a transaction go over whichever connection is free',
    found: 'const { value, written } = await work(caller, entered)',
    instead: 'const { value, written } = await work({ ...caller, sql }, entered)',
  },
  {
    store: 'postgres',
    file: 'src/store/postgres/connections.ts',
    what: 'B27: nobody hears the errors of an idle connection',
    found: "pool.on('error', ignore)",
    instead: '',
  },
  {
    store: 'sqlite',
    file: 'src/store/sqlite/finished.ts',
    what: 'B18: an action that ended stays among the live ones',
    found: 'sql.deleteActions.run({ rows: JSON.stringify(moves.map(([row]) => row)) })',
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
