// Owns the mutants that change nothing anyone could see, each group with the reason. The list is checked by a run of all:
// one of them that is killed is a mistake here, one that is no mutant any more too.

interface Group {
  readonly why: string
  readonly mutants: readonly string[]
}

const GROUPS: readonly Group[] = [
  {
    why: 'of other pauses none closes a lane, whoever reads them: heads.ts asks for the scope once more',
    mutants: ["postgres pauses.sql lanePauses: scope in ('tenant', 'type') dropped"],
  },
  {
    why: 'a row that does not run has no nonce and no lease: both are taken away with the status',
    mutants: [
      "sqlite actions.sql extendLease: status = 'running' dropped",
      "sqlite actions.sql expiredLeases: status = 'running' dropped",
      "sqlite src/store/sqlite/fence.ts: row?.status === 'running' dropped",
    ],
  },
  {
    why: 'all actions of an execution that stands still are parked, and none of one that goes on',
    mutants: [
      'sqlite actions.sql parkExecutionActions: lane > 0 dropped',
      'sqlite actions.sql unparkExecutionActions: lane < 0 dropped',
      'sqlite actions.sql parkDefinitionActions: definition = :definition dropped',
      'sqlite actions.sql unparkDefinitionActions: definition = :definition dropped',
      'sqlite inbox.sql holdDefinitionEvents: definition = :definition dropped',
      'sqlite inbox.sql releaseDefinitionEvents: definition = :definition dropped',
      'sqlite timers.sql holdDefinitionTimers: definition = :definition dropped',
      'sqlite timers.sql releaseDefinitionTimers: definition = :definition dropped',
    ],
  },
  {
    why: 'nobody asks whether an event that was applied is held',
    mutants: [
      'sqlite inbox.sql holdExecutionEvents: applied_at is null dropped',
      'sqlite inbox.sql holdDefinitionEvents: applied_at is null dropped',
      'sqlite inbox.sql releaseDefinitionEvents: applied_at is null dropped',
    ],
  },
  {
    why: 'an action has one key, and its id is one in the whole store: the rest finds the row by its index',
    mutants: [
      'sqlite dedup.sql releaseDedup: namespace = :namespace dropped',
      'sqlite dedup.sql releaseDedup: tenant = :tenant dropped',
      'sqlite dedup.sql releaseDedup: key = :key dropped',
      'sqlite dedup.sql dropDedup: namespace = :namespace dropped',
      'sqlite dedup.sql dropDedup: tenant = :tenant dropped',
      'sqlite dedup.sql dropDedup: key = :key dropped',
    ],
  },
  {
    why: 'nothing is smaller than null: the condition only leads to the partial index',
    mutants: [
      'sqlite dedup.sql pruneDedup: until is not null dropped',
      'sqlite inbox.sql pruneInbox: applied_at is not null dropped',
      'sqlite events.sql readHistory: number is not null dropped',
    ],
  },
  {
    why: 'of what is past its time all goes in the end, in whatever order',
    mutants: [
      'sqlite dedup.sql pruneDedup: until reversed',
      'sqlite inbox.sql pruneInbox: applied_at reversed',
      'sqlite workers.sql forgetWorkers: seen_at reversed',
    ],
  },
  {
    why: 'was read and compared before, in the same transaction, which began as a writer',
    mutants: [
      'sqlite executions.sql updateExecution: revision = :expected dropped',
      "sqlite executions.sql resumeExecution: status = 'paused' dropped",
      'sqlite inbox.sql applyInbox: applied_at is null dropped',
    ],
  },
  {
    why: 'one writer at a time: a row that is there is found before another is inserted, in the same transaction',
    mutants: [
      'sqlite 0001_base.sql: primary key of migrations dropped',
      'sqlite 0001_base.sql: unique (namespace, tenant, type, priority) of lanes dropped',
      'sqlite 0001_base.sql: primary key (namespace, tenant, kind, id, hash) of definitions dropped',
      'sqlite 0001_base.sql: primary key (namespace, tenant, id) of executions dropped',
      'sqlite 0001_base.sql: unique (namespace, tenant, id) of actions_done dropped',
      'sqlite 0001_base.sql: unique of events_history dropped',
      'sqlite 0001_base.sql: primary key (namespace, tenant, scope, value) of pauses dropped',
    ],
  },
  {
    why: 'rows without a position come in the order they were written',
    mutants: ['sqlite 0001_base.sql: primary key autoincrement of attempts dropped'],
  },
  {
    why: 'the rows are looked up by what names them, in whatever order and however many there are',
    mutants: [
      "sqlite store.sql readState: key in ('epoch', 'full') dropped",
      'sqlite store.sql readMigrations: number reversed',
    ],
  },
  {
    why: 'the port promises one tenant that has events, and the due time of a lane, not whose they are',
    mutants: ['sqlite inbox.sql waitingDefinitions: o.seq reversed', 'sqlite lanes.sql heads: a.id reversed'],
  },
  {
    why: 'a reader that wants to write after another wrote is refused by SQLite, and the whole is tried anew',
    mutants: ['sqlite src/store/sqlite/writer.ts: B28: a transaction that begins as a reader'],
  },
  {
    why: 'SQLite writes every count to shard 0',
    mutants: ['sqlite counters.sql deleteCounter: shard = :shard dropped'],
  },
  {
    why: 'what the jump finds too much is found again by nobody: the rows behind it are asked for once more',
    mutants: [
      'sqlite lanes.sql heads: lane > 0 dropped',
      'sqlite lanes.sql heads: busy.lane is not null dropped (2)',
      'sqlite inbox.sql waitingDefinitions: applied_at is null dropped',
      'sqlite inbox.sql waitingDefinitions: held = 0 dropped',
      'sqlite inbox.sql waitingDefinitions: i.applied_at is null dropped',
      'sqlite inbox.sql waitingDefinitions: i.held = 0 dropped',
    ],
  },
]

export const EQUIVALENT: ReadonlySet<string> = new Set(GROUPS.flatMap(({ mutants }) => mutants))
