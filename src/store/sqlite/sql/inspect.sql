-- name: inspectHorizons
-- The oldest event, finished action and told occurrence: what came before them was removed.
-- in: nothing
-- index: none (the first rows, by seq, position and occurrences_told)
select (select at from events order by seq limit 1) as events,
  (select coalesce(archived_at, finished_at) from actions_done order by position limit 1) as done,
  (select min(told_at) from occurrences) as occurrences;

-- name: inspectLastSeen
-- When a process at work was last seen.
-- in: nothing
-- index: workers_seen
select max(seen_at) as seen_at from workers indexed by workers_seen;

-- name: inspectHeads
-- The next executions in order of their identity.
-- in: namespace, tenant, id, limit
-- index: primary key
select namespace, tenant, id, chain_number as lines from executions
where (namespace, tenant, id) > (:namespace, :tenant, :id) order by namespace, tenant, id limit :limit;

-- name: inspectExecutions
-- Executions, with what their rows elsewhere say about them.
-- in: refs
-- index: primary key, events_history
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select x.*,
  exists (
    select 1 from pauses p
    where p.namespace = x.namespace and p.tenant = x.tenant and p.scope = 'execution' and p.value = x.id
  ) as paused_itself,
  (
    select e.number from events e indexed by events_history
    where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
    order by e.number limit 1
  ) as first_number
from refs cross join executions x on x.namespace = refs.namespace and x.tenant = refs.tenant and x.id = refs.id;

-- name: inspectLines
-- The chains of executions, each in its order.
-- in: refs, limit
-- index: events_history
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select e.namespace, e.tenant, e.execution, e.number, e.type, e.at, e.prev_hash, e.hash, e.data
from refs
cross join events e indexed by events_history
  on e.namespace = refs.namespace and e.tenant = refs.tenant and e.execution = refs.id and e.number is not null
limit :limit;

-- name: inspectLiveStepsOf
-- The live actions of executions.
-- in: refs, limit
-- index: actions_execution
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select a.namespace, a.tenant, a.execution, a.id, a.status, a.token, a.finished_at, a.created_at, a.plan
from refs cross join actions a on a.namespace = refs.namespace and a.tenant = refs.tenant and a.execution = refs.id
limit :limit;

-- name: inspectDoneStepsOf
-- The finished actions of executions.
-- in: refs, limit
-- index: actions_done_execution
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select a.namespace, a.tenant, a.execution, a.id, a.status, a.token, a.finished_at, a.created_at, a.plan
from refs cross join actions_done a on a.namespace = refs.namespace and a.tenant = refs.tenant and a.execution = refs.id
limit :limit;

-- name: inspectInboxesOf
-- The events of executions, applied or not.
-- in: refs, limit
-- index: primary key
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select i.namespace, i.tenant, i.execution, i.event_id, i.definition, i.held, i.applied_at, i.event is not null as has_event
from refs cross join inbox i on i.namespace = refs.namespace and i.tenant = refs.tenant and i.execution = refs.id
limit :limit;

-- name: inspectTimersOfAll
-- The timers of executions.
-- in: refs, limit
-- index: primary key
with refs (namespace, tenant, id) as materialized (
  select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(:refs)
)
select t.namespace, t.tenant, t.execution, t.key, t.held
from refs cross join timers t on t.namespace = refs.namespace and t.tenant = refs.tenant and t.execution = refs.id
limit :limit;

-- name: inspectLiveSteps
-- The live actions of an execution.
-- in: namespace, tenant, execution, limit
-- index: actions_execution
select id, status, token, finished_at, created_at, plan from actions
where namespace = :namespace and tenant = :tenant and execution = :execution limit :limit;

-- name: inspectDoneSteps
-- The finished actions of an execution, newest first.
-- in: namespace, tenant, execution, limit
-- index: actions_done_execution
select id, status, token, finished_at, created_at, plan from actions_done
where namespace = :namespace and tenant = :tenant and execution = :execution order by id desc limit :limit;

-- name: inspectInboxOf
-- The events of an execution, applied or not.
-- in: namespace, tenant, execution, limit
-- index: primary key
select event_id, definition, held, applied_at, event is not null as has_event from inbox
where namespace = :namespace and tenant = :tenant and execution = :execution limit :limit;

-- name: inspectTimersOf
-- The timers of an execution.
-- in: namespace, tenant, execution, limit
-- index: primary key
select key, held from timers
where namespace = :namespace and tenant = :tenant and execution = :execution limit :limit;

-- name: inspectLive
-- The next live actions, each with its lane, its execution, its attempts and whoever else has its id.
-- in: id, limit
-- index: primary key, attempts_action
select a.*, l.namespace as lane_namespace, l.tenant as lane_tenant, l.type as lane_type, l.priority as lane_priority,
  x.status as execution_status,
  (
    select count(*) from actions_done d where d.namespace = a.namespace and d.tenant = a.tenant and d.id = a.id
  ) as twins,
  (select count(*) from attempts t where t.action = a.id) as tries,
  (select max(t.number) from attempts t where t.action = a.id) as last_try,
  (
    select count(*) from attempts t where t.action = a.id and (t.namespace <> a.namespace or t.tenant <> a.tenant)
  ) as foreign_tries
from actions a
left join lanes l on l.lane = abs(a.lane)
left join executions x on x.namespace = a.namespace and x.tenant = a.tenant and x.id = a.execution
where a.id > :id order by a.id limit :limit;

-- name: inspectDone
-- The next finished actions, with the same facts.
-- in: namespace, tenant, id, limit
-- index: primary key, attempts_action
select a.*, l.namespace as lane_namespace, l.tenant as lane_tenant, l.type as lane_type, l.priority as lane_priority,
  x.status as execution_status,
  (select count(*) from actions d where d.id = a.id) as twins,
  (select count(*) from attempts t where t.action = a.id) as tries,
  (select max(t.number) from attempts t where t.action = a.id) as last_try,
  (
    select count(*) from attempts t where t.action = a.id and (t.namespace <> a.namespace or t.tenant <> a.tenant)
  ) as foreign_tries
from actions_done a
left join lanes l on l.lane = abs(a.lane)
left join executions x on x.namespace = a.namespace and x.tenant = a.tenant and x.id = a.execution
where (a.namespace, a.tenant, a.id) > (:namespace, :tenant, :id) order by a.namespace, a.tenant, a.id limit :limit;

-- name: inspectAttempts
-- The next attempts, and whether their action is there.
-- in: position, limit
-- index: primary key
select t.position, t.namespace, t.tenant, t.action as owner, t.number as name,
  exists (select 1 from actions a where a.id = t.action)
  or exists (select 1 from actions_done d where d.namespace = t.namespace and d.tenant = t.tenant and d.id = t.action)
  as owned
from attempts t where t.position > :position order by t.position limit :limit;

-- name: inspectEvents
-- The next events, and whether their execution is there.
-- in: seq, limit
-- index: primary key
select e.seq, e.namespace, e.tenant, e.execution as owner, e.type as name,
  e.execution is null
  or exists (select 1 from executions x where x.namespace = e.namespace and x.tenant = e.tenant and x.id = e.execution)
  as owned
from events e where e.seq > :seq order by e.seq limit :limit;

-- name: inspectInbox
-- The next events that wait or were applied, and whether their execution is there.
-- in: seq, limit
-- index: primary key
select i.seq, i.namespace, i.tenant, i.execution as owner, i.event_id as name,
  exists (select 1 from executions x where x.namespace = i.namespace and x.tenant = i.tenant and x.id = i.execution)
  as owned
from inbox i where i.seq > :seq order by i.seq limit :limit;

-- name: inspectTimers
-- The next timers, and whether their execution is there.
-- in: namespace, tenant, execution, key, limit
-- index: primary key
select t.namespace, t.tenant, t.execution as owner, t.key as name,
  exists (select 1 from executions x where x.namespace = t.namespace and x.tenant = t.tenant and x.id = t.execution)
  as owned
from timers t
where (t.namespace, t.tenant, t.execution, t.key) > (:namespace, :tenant, :execution, :key)
order by t.namespace, t.tenant, t.execution, t.key limit :limit;

-- name: inspectDedup
-- The next keys, and what became of the action that holds each.
-- in: namespace, tenant, key, limit
-- index: primary key
select k.namespace, k.tenant, k.key, k.action, k.until,
  (select a.status from actions a where a.id = k.action and a.namespace = k.namespace and a.tenant = k.tenant) as status,
  exists (select 1 from actions_done d where d.namespace = k.namespace and d.tenant = k.tenant and d.id = k.action)
  as done
from dedup k where (k.namespace, k.tenant, k.key) > (:namespace, :tenant, :key)
order by k.namespace, k.tenant, k.key limit :limit;

-- name: inspectPauses
-- The next pauses, and whether the execution that one names is there.
-- in: namespace, tenant, scope, value, limit
-- index: primary key
select p.namespace, p.tenant, p.scope, p.value,
  p.scope <> 'execution'
  or exists (select 1 from executions x where x.namespace = p.namespace and x.tenant = p.tenant and x.id = p.value)
  as known
from pauses p
where (p.namespace, p.tenant, p.scope, p.value) > (:namespace, :tenant, :scope, :value)
order by p.namespace, p.tenant, p.scope, p.value limit :limit;

-- name: inspectTenant
-- The next tenant that was ever counted.
-- in: namespace, tenant
-- index: primary key
select namespace, tenant
from (
  select *
  from (
    select namespace, tenant from counters where (namespace, tenant) > (:namespace, :tenant) order by namespace, tenant limit 1
  )
  union all
  select given.value ->> 0, given.value ->> 1 from tallies, json_each(substr(tallies.counts, 9)) given
  where (given.value ->> 0, given.value ->> 1) > (:namespace, :tenant)
)
order by namespace, tenant limit 1;

-- name: inspectCounters
-- What a tenant's counters say, since when, and whether hours of them were folded together.
-- in: namespace, tenant
-- index: primary key
select name, sum(value) as value, max(bucket = 0) as folded, min(case when bucket > 0 then bucket end) as since
from (
  select name, bucket, value from counters where namespace = :namespace and tenant = :tenant
  union all
  select json_each.key, given.value ->> 2, json_each.value
  from tallies, json_each(substr(tallies.counts, 9)) given, json_each(given.value, '$[3]')
  where given.value ->> 0 = :namespace and given.value ->> 1 = :tenant
) group by name;

-- name: inspectLiveTally
-- A tenant's live actions, counted.
-- in: namespace, tenant
-- index: none (counts rows)
select status, count(*) as count from actions where namespace = :namespace and tenant = :tenant group by status;

-- name: inspectDoneTally
-- A tenant's finished actions, counted.
-- in: namespace, tenant
-- index: none (counts rows)
select status, archived_at is not null as archived, count(*) as count, min(coalesce(archived_at, finished_at)) as oldest
from actions_done where namespace = :namespace and tenant = :tenant group by 1, 2;

-- name: inspectExecutionTally
-- A tenant's executions, counted.
-- in: namespace, tenant
-- index: none (counts rows)
select status, count(*) as count from executions
where namespace = :namespace and tenant = :tenant group by status;

-- name: inspectCheckpoints
-- The next checkpoints.
-- in: number, limit
-- index: primary key
select number, at, heads, hash, feed_position from checkpoints where number > :number order by number limit :limit;

-- name: inspectCoverage
-- The oldest event, and the last checkpoint. Its places are never given anew.
-- in: nothing
-- index: none (first and last rows)
select (select seq from events order by seq limit 1) as seq, (select seq from events order by seq limit 1) as place,
  (select max(number) from checkpoints) as newest, 0 as rebased;

-- name: inspectFeed
-- The next events between two checkpoints.
-- in: seq, upto, limit
-- index: primary key
select seq, namespace, tenant, execution, number, type, at, prev_hash, hash, data from events
where seq > :seq and seq <= :upto order by seq limit :limit;

-- name: inspectHeadsAt
-- The next executions with the newest line each had at a place of the feed, and the oldest it has now.
-- in: namespace, tenant, id, place, limit
-- index: primary key, events_history
select x.namespace, x.tenant, x.id, x.chain_number, x.chain_hash, then_.number as number_then, then_.hash as hash_then,
  (
    select min(o.number) from events o indexed by events_history
    where o.namespace = x.namespace and o.tenant = x.tenant and o.execution = x.id and o.number is not null
  ) as first_number
from executions x
left join events then_ on then_.seq = (
  select e.seq from events e indexed by events_history
  where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
    and e.seq <= :place
  order by e.number desc limit 1
)
where (x.namespace, x.tenant, x.id) > (:namespace, :tenant, :id)
order by x.namespace, x.tenant, x.id limit :limit;

-- name: inspectOccurrences
-- A slice of what became of occurrences: is their recurrence there, and the action they name?
-- in: namespace, tenant, recurrence, at, limit
-- index: primary key
select o.namespace, o.tenant, o.recurrence, o.at, o.fate, o.told_at, o.details, exists (
    select 1 from executions e
    where e.namespace = o.namespace and e.tenant = o.tenant and e.id = o.recurrence and e.kind = 'recurrence'
  ) as owned,
  exists (
    select 1 from actions a where a.namespace = o.namespace and a.tenant = o.tenant
      and a.id = case when json_valid(substr(o.details, 9)) then json_extract(substr(o.details, 9), '$.action') end
  ) or exists (
    select 1 from actions_done d where d.namespace = o.namespace and d.tenant = o.tenant
      and d.id = case when json_valid(substr(o.details, 9)) then json_extract(substr(o.details, 9), '$.action') end
  ) as acted
from occurrences o
where (o.namespace, o.tenant, o.recurrence, o.at) > (:namespace, :tenant, :recurrence, :at)
order by o.namespace, o.tenant, o.recurrence, o.at limit :limit;

-- name: inspectAudit
-- A slice of the audit, each entry with the hash of the one before it in its tenant.
-- in: namespace, tenant, number, limit
-- index: primary key
select a.*, (
    select b.hash from audit b
    where b.namespace = a.namespace and b.tenant = a.tenant and b.number = a.number - 1
  ) as hash_before
from audit a
where (a.namespace, a.tenant, a.number) > (:namespace, :tenant, :number)
order by a.namespace, a.tenant, a.number limit :limit;

-- name: inspectPlaces
-- The next places of limits, taken or waited for, and whether their action is there.
-- in: namespace, tenant, key, action, limit
-- index: primary key
select p.namespace, p.tenant, p.key as name, p.action as owner,
  exists (
    select 1 from actions a
    where a.id = p.action and a.namespace = p.owner_namespace and a.tenant = p.owner_tenant
  ) or exists (
    select 1 from actions_done d
    where d.namespace = p.owner_namespace and d.tenant = p.owner_tenant and d.id = p.action
  ) as owned
from limit_places p
where (p.namespace, p.tenant, p.key, p.action) > (:namespace, :tenant, :key, :action)
order by p.namespace, p.tenant, p.key, p.action limit :limit;

-- name: inspectTasks
-- The next tasks, and whether the execution of each is there.
-- in: namespace, tenant, id, limit
-- index: primary key
select t.namespace, t.tenant, t.id as name, t.execution as owner,
  t.execution is null
  or exists (select 1 from executions x where x.namespace = t.namespace and x.tenant = t.tenant and x.id = t.execution)
  as owned
from tasks t where (t.namespace, t.tenant, t.id) > (:namespace, :tenant, :id)
order by t.namespace, t.tenant, t.id limit :limit;

-- name: inspectBulkItems
-- The next items of bulk operations, and whether the operation of each is there.
-- in: namespace, tenant, bulk, action, limit
-- index: primary key
select i.namespace, i.tenant, i.bulk as owner, i.action as name,
  exists (select 1 from bulk_operations b where b.namespace = i.namespace and b.tenant = i.tenant and b.id = i.bulk)
  as owned
from bulk_items i
where (i.namespace, i.tenant, i.bulk, i.action) > (:namespace, :tenant, :bulk, :action)
order by i.namespace, i.tenant, i.bulk, i.action limit :limit;

-- name: inspectBulks
-- The next bulk operations, each with its items counted.
-- in: namespace, tenant, id, limit
-- index: primary key
select b.namespace, b.tenant, b.id, b.status, b.content,
  (
    select count(*) from bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id
  ) as items,
  (
    select count(*) from bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id and i.status = 'succeeded'
  ) as succeeded,
  (
    select count(*) from bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id and i.status = 'failed'
  ) as failed
from bulk_operations b
where (b.namespace, b.tenant, b.id) > (:namespace, :tenant, :id)
order by b.namespace, b.tenant, b.id limit :limit;

-- name: inspectAlerts
-- The next alerts.
-- in: namespace, tenant, id, limit
-- index: primary key
select namespace, tenant, id, first_at, last_at, acknowledged_at, acknowledged_by, details
from alerts where (namespace, tenant, id) > (:namespace, :tenant, :id)
order by namespace, tenant, id limit :limit;

-- name: inspectOutbox
-- The next entries of the sandbox's outbox, and whether the action of each is there.
-- in: namespace, tenant, id, limit
-- index: primary key
select o.namespace, o.tenant, o.id, o.at, o.action, o.entry,
  o.action is null
  or exists (select 1 from actions a where a.id = o.action and a.namespace = o.namespace and a.tenant = o.tenant)
  or exists (
    select 1 from actions_done d
    where d.namespace = o.namespace and d.tenant = o.tenant and d.id = o.action
  ) as owned
from outbox o where (o.namespace, o.tenant, o.id) > (:namespace, :tenant, :id)
order by o.namespace, o.tenant, o.id limit :limit;

-- name: inspectLimits
-- The next limits and what they remember.
-- in: namespace, tenant, key, limit
-- index: primary key
select namespace, tenant, key, shut, state
from limits where (namespace, tenant, key) > (:namespace, :tenant, :key)
order by namespace, tenant, key limit :limit;
