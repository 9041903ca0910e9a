// Owns the mutants that change nothing anyone could see, each group with the reason. The list is checked by a run of all:
// one of them that is killed is a mistake here, one that is no mutant any more too.

interface Group {
  readonly why: string
  readonly mutants: readonly string[]
}

const both = (name: string): readonly string[] => [`sqlite ${name}`, `postgres ${name}`]

const GROUPS: readonly Group[] = [
  {
    why: 'migration 0016 takes it away, or makes it anew: a store that was opened is the same without it',
    mutants: [
      "postgres 0001_base.sql: check (id <> '') of actions dropped",
      "postgres 0001_base.sql: check (id <> '') of executions dropped",
      "postgres 0001_base.sql: check (namespace <> '') of actions dropped",
      "postgres 0001_base.sql: check (namespace <> '') of executions dropped",
      "postgres 0001_base.sql: check (tenant <> '') of actions dropped",
      "postgres 0001_base.sql: check (tenant <> '') of executions dropped",
      'postgres 0001_base.sql: unique of events_history dropped',
    ],
  },
  {
    why: 'only among more than 20,000 executions: list-executions.test.ts of each store makes as many',
    mutants: [
      ...both('executions.sql recentEnd: namespace = :namespace dropped'),
      ...both('executions.sql recentEnd: tenant = :tenant dropped'),
    ],
  },
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
      'sqlite timers.sql holdDefinitionTimers: definition = :definition dropped',
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
      ...both('alerts.sql pruneAlerts: last_at reversed'),
      ...both('health.sql pruneHealth: bucket reversed'),
      ...both('idempotency.sql forgetKeys: until reversed'),
      ...both('limits.sql sweepLimits: idle_at reversed'),
      ...both('limits.sql sweepPlaces: p.touched_at reversed'),
      ...both('occurrences.sql pruneOccurrences: told_at reversed'),
      ...both('outbox.sql pruneOutbox: at reversed'),
      ...both('tasks.sql pruneTasks: completed_at reversed'),
    ],
  },
  {
    why: 'only what is done has an end: the condition leads to the partial index',
    mutants: [
      ...both("tasks.sql untoldTasks: status = 'done' dropped"),
      ...both("tasks.sql pruneTasks: status = 'done' dropped"),
    ],
  },
  {
    why: 'narrow.ts asks of every row once more: what differs is how many are looked at',
    mutants: [
      ...both('tasks.sql tasksOfStatus: status = :value dropped'),
      ...both('tasks.sql tasksOfAssignee: assignee = :value dropped'),
    ],
  },
  {
    why: 'places whose action does not run were dropped before, in the same transaction: none that has a token is queued',
    mutants: both('limits.sql callLine: p.token is null dropped'),
  },
  {
    why: 'items go before operations and count for the same limit: when operations come to it none is left',
    mutants: [
      'postgres bulk.sql pruneBulks: ( select i.bulk from pawl.bulk_items i where i.namespace = b.namespace and i.tenant = b.t… dropped',
      'sqlite bulk.sql pruneBulks: not exists ( select 1 from bulk_items i where i.namespace = b.namespace and i.tenant = b.… dropped',
    ],
  },
  {
    why: 'an event without a number sorts behind those that have one, and has no hash of a chain to tell',
    mutants: ['sqlite executions.sql chainHeads: e.number is not null dropped'],
  },
  {
    why: 'was read and compared before, in the same transaction, which began as a writer',
    mutants: [
      "sqlite executions.sql resumeExecution: status = 'paused' dropped",
      'sqlite inbox.sql applyInbox: applied_at is null dropped',
    ],
  },
  {
    why: 'the rows are looked up by what names them, in whatever order and however many there are',
    mutants: ['sqlite store.sql readMigrations: number reversed'],
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
  {
    why: 'PostgreSQL reads what a batch needs at once and looks it up by its whole name: more than was asked for decides nothing',
    mutants: [
      'postgres inbox.sql findInbox: namespace = k.namespace dropped',
      'postgres inbox.sql findInbox: tenant = k.tenant dropped',
      'postgres inbox.sql findInbox: execution = k.execution dropped',
      'postgres inbox.sql findInbox: event_id = k.event_id dropped',
      'postgres bulk.sql sentBulkItems: namespace = k.namespace dropped',
      'postgres bulk.sql sentBulkItems: tenant = k.tenant dropped',
      'postgres bulk.sql sentBulkItems: bulk = k.bulk dropped',
      'postgres bulk.sql sentBulkItems: action = k.action dropped',
      'postgres timers.sql findTimers: namespace = k.namespace dropped',
      'postgres timers.sql findTimers: tenant = k.tenant dropped',
      'postgres timers.sql findTimers: execution = k.execution dropped',
      'postgres timers.sql findTimers: key = k.key dropped',
      'postgres pauses.sql findPauses: namespace = k.namespace dropped',
      'postgres pauses.sql findPauses: tenant = k.tenant dropped',
      'postgres pauses.sql findPauses: scope = k.scope dropped',
      'postgres pauses.sql findPauses: value = k.value dropped',
      'postgres pauses.sql pausedDefinitions: x.namespace = k.namespace dropped',
      'postgres pauses.sql pausedDefinitions: x.tenant = k.tenant dropped',
      'postgres pauses.sql pausedDefinitions: x.id = k.id dropped',
      'postgres pauses.sql pausedDefinitions: p.namespace = x.namespace dropped',
      'postgres pauses.sql pausedDefinitions: p.tenant = x.tenant dropped',
      "postgres pauses.sql pausedDefinitions: p.scope = 'definition' dropped",
      'postgres pauses.sql pausedDefinitions: p.value = x.definition dropped',
      'postgres definitions.sql findDefinitions: namespace = k.namespace dropped',
      'postgres definitions.sql findDefinitions: tenant = k.tenant dropped',
      'postgres definitions.sql findDefinitions: kind = k.kind dropped',
      'postgres definitions.sql findDefinitions: id = k.id dropped',
      'postgres lanes.sql findLanes: namespace = k.namespace dropped',
      'postgres lanes.sql findLanes: tenant = k.tenant dropped',
      'postgres lanes.sql findLanes: type = k.type dropped',
      'postgres lanes.sql findLanes: priority = k.priority dropped',
      'postgres actions.sql readGathering: id = any (:ids::text[]) dropped',
    ],
  },
  {
    why: 'a row that does not run has no nonce and no lease, and every lease is of some instant: the conditions lead to the index',
    mutants: [
      "postgres actions.sql extendLeases: l.status = 'running' dropped",
      "postgres actions.sql expiredLeases: status = 'running' dropped",
      "postgres actions.sql claimedActions: status = 'running' dropped",
      "postgres claims.sql reviewClaims: status = 'running' dropped",
      "postgres actions-done.sql settleActions: status = 'running' dropped",
      "sqlite actions-done.sql settleActions: status = 'running' dropped",
      "postgres src/store/postgres/fence.ts: row?.status === 'running' dropped",
    ],
  },
  {
    why: 'as on SQLite: all actions of an execution that stands still are parked, and none of one that goes on',
    mutants: [
      'postgres actions.sql parkExecutionActions: a.lane > 0 dropped',
      'postgres actions.sql unparkExecutionActions: a.lane < 0 dropped',
      'postgres actions.sql parkDefinitionActions: x.namespace = :namespace dropped',
      'postgres actions.sql parkDefinitionActions: x.tenant = :tenant dropped',
      'postgres actions.sql parkDefinitionActions: x.definition = :definition dropped',
      'postgres actions.sql unparkDefinitionActions: x.namespace = :namespace dropped',
      'postgres actions.sql unparkDefinitionActions: x.tenant = :tenant dropped',
      'postgres actions.sql unparkDefinitionActions: x.definition = :definition dropped',
    ],
  },
  {
    why: 'as on SQLite: nobody asks whether an event that was applied is held',
    mutants: [
      'postgres inbox.sql holdExecutionEvents: applied_at is null dropped',
      'postgres inbox.sql holdDefinitionEvents: i.applied_at is null dropped',
    ],
  },
  {
    why: 'as on SQLite: an action has one key, and its id is one in the whole store',
    mutants: [
      'postgres dedup.sql releaseDedup: d.namespace = w.namespace dropped',
      'postgres dedup.sql releaseDedup: d.tenant = w.tenant dropped',
      'postgres dedup.sql releaseDedup: d.key = w.key dropped',
      'postgres actions-done.sql settleActions: namespace = g.namespace dropped',
      'postgres actions-done.sql settleActions: tenant = g.tenant dropped',
      'postgres actions-done.sql settleActions: key = g.dedup_key dropped',
      'postgres actions-done.sql settleActions: g.dedup_key is not null dropped',
    ],
  },
  {
    why: 'as on SQLite: nothing is smaller than null',
    mutants: [
      'postgres dedup.sql pruneDedup: until is not null dropped',
      'postgres inbox.sql pruneInbox: applied_at is not null dropped',
      'postgres events.sql readHistory: number is not null dropped',
    ],
  },
  {
    why: 'as on SQLite: of what is past its time all goes in the end, in whatever order',
    mutants: [
      'postgres bulk.sql pruneBulkItems: b.updated_at reversed',
      'postgres bulk.sql pruneBulks: b.updated_at reversed',
      'postgres dedup.sql pruneDedup: until reversed',
      'postgres inbox.sql pruneInbox: applied_at reversed',
      'postgres workers.sql forgetWorkers: seen_at reversed',
      'postgres workers.sql forgetWorkers: seen_at unordered',
      'postgres actions-done.sql pruneDone: kept_from reversed',
      'postgres health.sql pruneHealth: bucket unordered',
      'postgres idempotency.sql forgetKeys: until unordered',
      'postgres limits.sql sweepLimits: idle_at unordered',
      'postgres limits.sql sweepPlaces: p.touched_at unordered',
      'postgres occurrences.sql pruneOccurrences: told_at unordered',
      'postgres outbox.sql pruneOutbox: at unordered',
      'postgres tasks.sql pruneTasks: completed_at unordered',
    ],
  },
  {
    why: 'leads to the partitions that hold them: the ids say which rows',
    mutants: ['postgres actions-done.sql pruneDone: kept_from <= (select max(kept_from) from old) dropped'],
  },
  {
    why: 'was read and compared under the lock of its execution',
    mutants: [
      'postgres executions.sql updateExecutions: x.revision = w.read_revision dropped',
      'postgres executions.sql restatusExecutions: x.revision = w.read_revision dropped',
    ],
  },
  {
    why: 'of one whose definition changes, the row was read and compared in the same transaction',
    mutants: [
      'sqlite executions.sql updateExecution: revision = :expected dropped',
      'sqlite executions.sql updateExecution: status = :was dropped',
    ],
  },
  {
    why: 'as on SQLite: what the jump finds too much is found again by nobody',
    mutants: [
      'postgres lanes.sql heads: lane > 0 dropped',
      "postgres lanes.sql heads: a.status = 'queued' dropped",
      'postgres lanes.sql heads: busy.lane is not null dropped (2)',
      'postgres inbox.sql waitingDefinitions: applied_at is null dropped',
      'postgres inbox.sql waitingDefinitions: not held dropped',
      "postgres inbox.sql waitingDefinitions: definition >= '' dropped",
      'postgres inbox.sql waitingDefinitions: i.applied_at is null dropped',
      'postgres inbox.sql waitingDefinitions: not i.held dropped',
    ],
  },
  {
    why: 'the port promises one tenant that has events, the due time of a lane and how many are due, not whose they are',
    mutants: [
      'postgres inbox.sql waitingDefinitions: seq reversed',
      'postgres lanes.sql heads: a.id reversed',
      'postgres lanes.sql heads: a.id reversed (2)',
      'postgres lanes.sql heads: a.due_at reversed',
    ],
  },
  {
    why: 'what is queued is in line, by a CHECK, and a lane where nothing is has no head: the condition leads to the index',
    mutants: [
      "postgres actions.sql claimActions: standing = 'line' dropped",
      "postgres agenda.sql comingActions: standing = 'line' dropped",
      "postgres bulk.sql queuedAfter: standing = 'line' dropped",
      "postgres lanes.sql heads: standing = 'line' dropped",
      "postgres lanes.sql heads: a.standing = 'line' dropped",
      "postgres lanes.sql heads: a.standing = 'line' dropped (2)",
      "postgres lanes.sql heads: a.standing = 'line' dropped (3)",
    ],
  },
  {
    why: 'sheets lead to the rows; whether its lease has run out, and whose it is, says the row',
    mutants: [
      'postgres actions.sql expiredLeases: look_at <= coalesce(:lease::bigint, pawl.clock_ms()) dropped',
      'postgres actions.sql expiredLeases: id = any (array( select unnest(c.actions) from ( select actions from pawl.claims where lo… dropped',
      'postgres actions.sql claimedActions: id = any (array(select unnest(actions) from pawl.claims)) dropped',
    ],
  },
  {
    why: 'a mark spares a search what was claimed before; below it may be older rows, which may come first',
    mutants: ['postgres actions.sql claimActions: (due_at, id) > (w.mark, w.passed) dropped'],
  },
  {
    why: 'a server has one checkpointer',
    mutants: [
      'postgres store.sql serverLife: pid reversed',
      'postgres store.sql transactionStatus: pid reversed',
    ],
  },
  {
    why: 'the rows are looked up by what names them, in whatever order',
    mutants: [
      'postgres store.sql partitions: c.relname reversed',
      'postgres store.sql readMigrations: number reversed',
    ],
  },
  {
    why: 'rows that do not fit are counted short, and the whole is done again with every row locked and looked at',
    mutants: [
      'postgres actions-done.sql settleActions: ids = :id::text[] dropped',
      'postgres src/store/postgres/write.ts: order of settled dropped',
    ],
  },
  {
    why: 'a list finds ids by tenant and reads the rows behind them by tenant once more: kept twice, so that no id of another is ever shown',
    mutants: [
      'postgres actions.sql readActions: namespace = :namespace dropped',
      'postgres actions.sql readActions: tenant = :tenant dropped',
      'postgres actions.sql runningIds: namespace = :namespace dropped',
      'postgres actions.sql runningIds: tenant = :tenant dropped',
      'postgres actions.sql deadIds: namespace = :namespace dropped',
      'postgres actions.sql deadIds: tenant = :tenant dropped',
      'postgres actions.sql reviewIds: namespace = :namespace dropped',
      'postgres actions.sql reviewIds: tenant = :tenant dropped',
      'postgres actions.sql executionIds: namespace = :namespace dropped',
      'postgres actions.sql executionIds: tenant = :tenant dropped',
    ],
  },
  {
    why: 'more is folded than was chosen, and adds up to the same: nobody reads a count by its hour',
    mutants: [
      'postgres counters.sql foldCounters: c.namespace = old.namespace dropped',
      'postgres counters.sql foldCounters: c.tenant = old.tenant dropped',
      'postgres counters.sql foldCounters: c.name = old.name dropped',
      'postgres counters.sql foldCounters: c.bucket = old.bucket dropped',
      'postgres counters.sql foldCounters: c.shard = old.shard dropped',
    ],
  },
  {
    why: 'a key that is there is an error of the batch then, whose members are tried again one by one, and see it',
    mutants: ['postgres pauses.sql insertPauses: on conflict do nothing dropped'],
  },
  {
    why: 'occurrences are of executions, which were locked or inserted before, in order',
    mutants: ['postgres src/store/postgres/write.ts: order of occurrences dropped'],
  },
]

export const EQUIVALENT: ReadonlySet<string> = new Set(GROUPS.flatMap(({ mutants }) => mutants))
