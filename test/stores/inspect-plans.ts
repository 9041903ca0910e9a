// What verify asks of PostgreSQL, slice by slice, with the arguments of a slice in the middle of many rows: none of it may
// walk over a table to find where it begins.

const of = { namespace: 'n', tenant: 't4' }
const refs = { namespaces: ['n', 'n'], tenants: ['t4', 't5'], ids: ['x3', 'x4'] }

export const INSPECTION = [
  ['inspectHeads', { ...of, id: 'x3', first: false, limit: 50 }],
  ['inspectExecutions', refs],
  ['inspectLines', { ...refs, after: [0, 0] }],
  ['inspectLiveSteps', { ...refs, limit: 50 }],
  ['inspectDoneSteps', { ...refs, limit: 50 }],
  ['inspectInboxOf', { ...refs, limit: 50 }],
  ['inspectTimersOf', { ...refs, limit: 50 }],
  ['inspectLive', { id: 'act_000000003', first: false, limit: 50 }],
  ['inspectDone', { ...of, id: 'old_000000003', limit: 50 }],
  ['inspectAttempts', { position: 100, limit: 50 }],
  ['inspectEvents', { xid: 0, seq: 100, limit: 50 }],
  ['inspectInbox', { ...of, execution: 'x3', event_id: '', limit: 50 }],
  ['inspectTimers', { ...of, execution: 'x3', key: '', limit: 50 }],
  ['inspectDedup', { ...of, key: 'k3', limit: 50 }],
  ['inspectPlaces', { ...of, key: 'k3', action: '', limit: 50 }],
  ['inspectTasks', { ...of, id: 'k3', limit: 50 }],
  ['inspectBulkItems', { ...of, bulk: 'b3', action: '', limit: 50 }],
  ['inspectBulks', { ...of, id: 'b3', limit: 50 }],
  ['inspectAlerts', { ...of, id: 'a3', limit: 50 }],
  ['inspectOutbox', { ...of, id: 'o3', limit: 50 }],
  ['inspectLimits', { ...of, key: 'k3', limit: 50 }],
  ['inspectFeed', { xid: '0', seq: 0, upto: '9223372036854775807', limit: 50 }],
  ['inspectHeadsAt', { ...of, id: 'x3', place: '9223372036854775807', limit: 50 }],
] as const
