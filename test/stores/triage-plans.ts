// What limits, bulk operations, alerts, tasks and the outbox ask of PostgreSQL, with arguments that lie in the middle of
// many rows (many-triage-postgres.ts).

const of = { namespace: 'n', tenant: 't4' }
const refs = (ids: readonly string[]) => ({
  namespaces: ids.map(() => 'n'),
  tenants: ids.map(() => 't4'),
  ids,
})
const rows = (...all: readonly object[]) => ({ rows: JSON.stringify(all.map((row) => ({ ...of, ...row }))) })
const page = { ...of, at: 90_000, id: '', limit: 50 }
/** A limit that a hundredth of a tenant's rows wait for. */
const limit = { ...of, key: 'k3' }
const waiting = 'act_000001003'
const state = { ...limit, version: 1, shut: false, idle_at: 1, state: '{}' }
const bulk = { ...of, bulk: 'b3', after: 'act_000004003', limit: 50 }
const content = { status: 'completed', revision: 2, updated_at: 1, created_at: 1, content: '{}' }
const alert = { type: 't', severity: 's', cause: 'c', count: 2, first_at: 1, last_at: 2, details: '{}' }

const LIMITS = [
  ['readLimits', { namespaces: ['n', 'n'], tenants: ['t4', 't4'], keys: ['k3', 'nobody'] }],
  ['insertLimit', { ...state, key: 'new' }],
  ['swapLimit', state],
  ['shutLimits', { now: 1_050_000, limit: 50 }],
  ['sweepLimits', { before: 1_000_100, limit: 50 }],
  ['dropLostPlaces', limit],
  ['countHeld', limit],
  ['calledPlaces', { ...limit, called_after: 50_000 }],
  ['takePlaces', { ...limit, now: 1, rows: JSON.stringify([{ id: waiting, ...of, token: 1, since: 1 }]) }],
  ['countLine', { ...limit, limit: 50 }],
  ['readLine', { ...limit, action: waiting, limit: 50 }],
  ['leavePlaces', { ...limit, actions: [waiting], tokens: [1] }],
  ['callLine', { ...limit, called_before: 1_000_000, limit: 10, now: 1 }],
  ['evictLine', { ...limit, keep: 50, limit: 10 }],
  ['sweepPlaces', { before: 1000, limit: 50 }],
] as const

const BULK = [
  ['findBulk', { ...of, id: 'b3' }],
  ['lockBulks', refs(['b3', 'b103'])],
  ['insertBulks', rows({ id: 'new', ...content })],
  ['updateBulks', rows({ id: 'b3', ...content })],
  ['takeBulk', { ...of, id: 'b3', holder: 'w', lease_ms: 1, lease: null }],
  ['runningBulks', { limit: 50 }],
  ['listBulks', page],
  ['insertBulkItems', rows({ bulk: 'b3', action: 'a', watched: 'a', status: 'sent', at: 1 })],
  ['endBulkItems', rows({ bulk: 'b3', action: waiting, status: 'failed', at: 1, error: null })],
  [
    'sentBulkItems',
    { namespaces: ['n', 'n'], tenants: ['t4', 't4'], bulks: ['b3', 'b3'], actions: [waiting, 'a'] },
  ],
  ['findBulkItems', { ...of, bulk: 'b3', actions: [waiting, 'a'] }],
  ['bulkOutcomes', bulk],
  ['failedItems', bulk],
  ['deadAfter', { ...of, fingerprint: 'f1', id: 'act_000020003', limit: 50 }],
  ['deadOfAfter', { ...of, fingerprint: 'f1', id: 'act_000020003', limit: 50 }],
  ['deadBefore', { before: 60_000, at: 50_000, id: '', limit: 50 }],
  ['queuedAfter', { ...of, lane: 4, due_at: 1_050_000, id: '', limit: 50 }],
  ['pruneBulkItems', { before: 50_000, limit: 50 }],
  ['pruneBulks', { before: 50_000, limit: 50 }],
] as const

const DESK = [
  ['lockAlerts', refs(['al3', 'al103'])],
  ['insertAlerts', rows({ id: 'new', ...alert })],
  ['updateAlerts', rows({ id: 'al3', ...alert })],
  ['findAlert', { ...of, id: 'al3' }],
  ['listAlerts', page],
  ['alertsOfState', { ...page, open: 1 }],
  ['alertsOfState', { ...page, open: 0 }],
  ['untoldAlerts', { limit: 50 }],
  ['pruneAlerts', { before: 1000, limit: 50 }],
  [
    'insertTask',
    { ...of, id: 'new', execution: null, assignee: null, due_at: null, created_at: 1, task: '{}' },
  ],
  ['findTask', { ...of, id: 'task3' }],
  ['recentTasks', page],
  ['tasksOfStatus', { ...page, value: 'open' }],
  ['tasksOfAssignee', { ...page, value: 'u3' }],
  ['tasksOfExecution', { ...page, value: 'x3' }],
  ['completeTask', { ...of, id: 'task3', completed_at: 1, ending: '{}' }],
  ['tellTask', { ...of, id: 'task3' }],
  ['untoldTasks', { before: 90_000, limit: 50 }],
  ['pruneTasks', { before: 1000, limit: 50 }],
  ['putOutbox', { ...of, id: 'out3', at: 1, type: 't', action: null, entry: '{}' }],
  ['findOutbox', { ...of, id: 'out3' }],
  ['recentOutbox', page],
  ['pruneOutbox', { before: 1000, limit: 50 }],
] as const

export const TRIAGE = [...LIMITS, ...BULK, ...DESK]
