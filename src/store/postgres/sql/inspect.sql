-- name: inspectHorizons
-- The oldest event, finished action and told occurrence: what came before them was removed.
-- in: nothing
-- index: primary key, actions_done_age, occurrences_told
select (select at from pawl.events order by xid, seq limit 1) as events,
  (select kept_from from pawl.actions_done order by kept_from limit 1) as done,
  (select min(told_at) from pawl.occurrences) as occurrences;

-- name: inspectLastSeen
-- When a process at work was last seen.
-- in: nothing
-- index: workers_seen
select max(seen_at) as seen_at from pawl.workers;

-- name: inspectHeads
-- The next executions in order of their identity; from the beginning on, one without any as well.
-- in: namespace, tenant, id, first, limit
-- index: primary key
select namespace, tenant, id, chain_number as lines from pawl.executions
where (namespace, tenant, id) >= (:namespace, :tenant, :id)
  and ((namespace, tenant, id) > (:namespace, :tenant, :id) or :first::boolean)
order by namespace, tenant, id limit :limit;

-- name: inspectExecutions
-- Executions, with what their rows elsewhere say about them, and which of their columns says what it cannot.
-- in: namespaces, tenants, ids
-- index: primary key, events_history
select x.*,
  case when x.namespace = '' or x.tenant = '' or x.id = '' then 'name'
    when x.kind not in ('machine', 'journey', 'recurrence', 'stream', 'reconciler') then 'kind'
    when x.status not in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled') then 'status'
    when x.paused_from not in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled') then 'paused_from'
    when x.revision < 1 then 'revision' end as unfit,
  exists (
    select from pawl.pauses p
    where p.namespace = x.namespace and p.tenant = x.tenant and p.scope = 'execution' and p.value = x.id
  ) as paused_itself,
  (
    select e.number from pawl.events e
    where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
    order by e.number limit 1
  ) as first_number
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select * from pawl.executions where namespace = k.namespace and tenant = k.tenant and id = k.id offset 0
) x;

-- name: inspectLines
-- The newest lines of several chains, each after a number.
-- in: namespaces, tenants, ids, after
-- index: events_history
select l.*
from unnest(:namespaces::text[], :tenants::text[], :ids::text[], :after::int[]) as k (namespace, tenant, id, after)
cross join lateral (
  select namespace, tenant, execution, number, type, at, prev_hash, hash, data from pawl.events
  where namespace = k.namespace and tenant = k.tenant and execution = k.id and number is not null and number > k.after
  order by number
) l;

-- name: inspectLiveSteps
-- The live actions of executions.
-- in: namespaces, tenants, ids, limit
-- index: actions_execution
select l.* from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select namespace, tenant, execution, id, status, token, finished_at, created_at, plan from pawl.actions
  where namespace = k.namespace and tenant = k.tenant and execution = k.id limit :limit
) l;

-- name: inspectDoneSteps
-- The finished actions of executions, newest first.
-- in: namespaces, tenants, ids, limit
-- index: actions_done_execution
select l.* from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select namespace, tenant, execution, id, status, token, finished_at, created_at, plan from pawl.actions_done
  where namespace = k.namespace and tenant = k.tenant and execution = k.id order by id desc limit :limit
) l;

-- name: inspectInboxOf
-- The events of executions, applied or not.
-- in: namespaces, tenants, ids, limit
-- index: primary key
select l.* from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select namespace, tenant, execution, event_id, definition, held, applied_at, event is not null as has_event from pawl.inbox
  where namespace = k.namespace and tenant = k.tenant and execution = k.id limit :limit
) l;

-- name: inspectTimersOf
-- The timers of executions.
-- in: namespaces, tenants, ids, limit
-- index: primary key
select l.* from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select namespace, tenant, execution, key, held from pawl.timers
  where namespace = k.namespace and tenant = k.tenant and execution = k.id limit :limit
) l;

-- name: inspectLive
-- The next live actions, each with its lane, its execution, its attempts, whoever else has its id, and which of its columns says what it
-- cannot. One that runs may stand in line, out of which it was claimed; any other stands where its status says. From the beginning on, one
-- without an id as well.
-- in: id, first, limit
-- index: primary key, attempts_action
select a.*, case when a.namespace = '' or a.tenant = '' or a.id = '' then 'name'
    when a.status not in ('queued', 'running', 'dead', 'review') then 'status'
    when a.status = 'running' and (a.nonce is null or a.lease_until is null) then 'claim'
    when a.status = 'running' and a.standing <> 'line' then 'standing'
    when a.status = 'queued' and a.standing is distinct from 'line' then 'standing'
    when a.status in ('dead', 'review') and a.standing is distinct from a.status then 'standing' end as unfit,
  l.namespace as lane_namespace, l.tenant as lane_tenant, l.type as lane_type, l.priority as lane_priority,
  x.status as execution_status,
  (
    select count(*) from pawl.actions_done d where d.namespace = a.namespace and d.tenant = a.tenant and d.id = a.id
  ) as twins,
  tried.tries, tried.last_try, tried.foreign_tries
from pawl.actions a
left join pawl.lanes l on l.lane = abs(a.lane)
left join lateral (
  select status from pawl.executions
  where namespace = a.namespace and tenant = a.tenant and id = a.execution offset 0
) x on true
cross join lateral (
  select count(*) as tries, max(t.number) as last_try,
    count(*) filter (where t.namespace <> a.namespace or t.tenant <> a.tenant) as foreign_tries
  from pawl.attempts t where t.action = a.id
) tried
where a.id >= :id and (a.id > :id or :first::boolean) order by a.id limit :limit;

-- name: inspectDone
-- The next finished actions, with the same facts.
-- in: namespace, tenant, id, limit
-- index: primary key, attempts_action
select a.*, case when a.status not in ('succeeded', 'cancelled', 'skipped', 'dead', 'review') then 'status' end as unfit,
  l.namespace as lane_namespace, l.tenant as lane_tenant, l.type as lane_type, l.priority as lane_priority,
  x.status as execution_status,
  (select count(*) from pawl.actions d where d.id = a.id)
  + (select count(*) - 1 from pawl.actions_done d where d.namespace = a.namespace and d.tenant = a.tenant and d.id = a.id)
  as twins,
  tried.tries, tried.last_try, tried.foreign_tries
from pawl.actions_done a
left join pawl.lanes l on l.lane = abs(a.lane)
left join lateral (
  select status from pawl.executions
  where namespace = a.namespace and tenant = a.tenant and id = a.execution offset 0
) x on true
cross join lateral (
  select count(*) as tries, max(t.number) as last_try,
    count(*) filter (where t.namespace <> a.namespace or t.tenant <> a.tenant) as foreign_tries
  from pawl.attempts t where t.action = a.id
) tried
where (a.namespace, a.tenant, a.id) > (:namespace, :tenant, :id) order by a.namespace, a.tenant, a.id limit :limit;

-- name: inspectAttempts
-- The next attempts, and whether their action is there: asked row by row, where EXISTS may read the other table whole.
-- in: position, limit
-- index: primary key
select t.position, t.namespace, t.tenant, t.action as owner, t.number as name,
  (select true from pawl.actions a where a.id = t.action) is true
  or (
    select true from pawl.actions_done d
    where d.namespace = t.namespace and d.tenant = t.tenant and d.id = t.action limit 1
  ) is true
  as owned
from pawl.attempts t where t.position > :position order by t.position limit :limit;

-- name: inspectEvents
-- The next events, and whether their execution is there.
-- in: xid, seq, limit
-- index: primary key
select e.xid::text::bigint as xid, e.seq, e.namespace, e.tenant, e.execution as owner, e.type as name,
  e.execution is null
  or (
    select true from pawl.executions x
    where x.namespace = e.namespace and x.tenant = e.tenant and x.id = e.execution
  ) is true
  as owned
from pawl.events e where (e.xid, e.seq) > (:xid::xid8, :seq::bigint) order by e.xid, e.seq limit :limit;

-- name: inspectInbox
-- The next events that wait or were applied, and whether their execution is there.
-- in: namespace, tenant, execution, event_id, limit
-- index: primary key
select i.namespace, i.tenant, i.execution as owner, i.event_id as name,
  (
    select true from pawl.executions x
    where x.namespace = i.namespace and x.tenant = i.tenant and x.id = i.execution
  ) is true
  as owned
from pawl.inbox i
where (i.namespace, i.tenant, i.execution, i.event_id) > (:namespace, :tenant, :execution, :event_id)
order by i.namespace, i.tenant, i.execution, i.event_id limit :limit;

-- name: inspectTimers
-- The next timers, and whether their execution is there.
-- in: namespace, tenant, execution, key, limit
-- index: primary key
select t.namespace, t.tenant, t.execution as owner, t.key as name,
  (
    select true from pawl.executions x
    where x.namespace = t.namespace and x.tenant = t.tenant and x.id = t.execution
  ) is true
  as owned
from pawl.timers t
where (t.namespace, t.tenant, t.execution, t.key) > (:namespace, :tenant, :execution, :key)
order by t.namespace, t.tenant, t.execution, t.key limit :limit;

-- name: inspectDedup
-- The next keys, and what became of the action that holds each.
-- in: namespace, tenant, key, limit
-- index: primary key
select k.namespace, k.tenant, k.key, k.action, k.until,
  (select a.status from pawl.actions a where a.id = k.action and a.namespace = k.namespace and a.tenant = k.tenant) as status,
  (
    select true from pawl.actions_done d
    where d.namespace = k.namespace and d.tenant = k.tenant and d.id = k.action limit 1
  ) is true as done
from pawl.dedup k where (k.namespace, k.tenant, k.key) > (:namespace, :tenant, :key)
order by k.namespace, k.tenant, k.key limit :limit;

-- name: inspectPauses
-- The next pauses, and whether the execution that one names is there.
-- in: namespace, tenant, scope, value, limit
-- index: primary key
select p.namespace, p.tenant, p.scope, p.value,
  p.scope <> 'execution'
  or (
    select true from pawl.executions x
    where x.namespace = p.namespace and x.tenant = p.tenant and x.id = p.value
  ) is true
  as known
from pawl.pauses p
where (p.namespace, p.tenant, p.scope, p.value) > (:namespace, :tenant, :scope, :value)
order by p.namespace, p.tenant, p.scope, p.value limit :limit;

-- name: inspectTenant
-- The next tenant that was ever counted.
-- in: namespace, tenant
-- index: primary key
select namespace, tenant
from (
  (
    select namespace, tenant from pawl.counters where (namespace, tenant) > (:namespace, :tenant)
    order by namespace, tenant limit 1
  )
  union all
  select n ->> 0, n ->> 1 from pawl.receipts cross join json_array_elements(counts) as n
  where ((n ->> 0) collate "C", (n ->> 1) collate "C") > (:namespace, :tenant)
  union all
  select w.namespace, w.tenant from pawl.tallies cross join unnest(namespaces, tenants) as w (namespace, tenant)
  where (w.namespace, w.tenant) > (:namespace, :tenant)
) c order by namespace collate "C", tenant collate "C" limit 1;

-- name: inspectCounters
-- What a tenant's counters say, since when, and whether hours of them were folded together.
-- in: namespace, tenant
-- index: primary key
select name, sum(value)::bigint as value, bool_or(bucket = 0) as folded, min(case when bucket > 0 then bucket end) as since
from (
  select name, bucket, value from pawl.counters where namespace = :namespace and tenant = :tenant
  union all
  select n ->> 2, (n ->> 3)::bigint, (n ->> 4)::bigint from pawl.receipts cross join json_array_elements(counts) as n
  where n ->> 0 = :namespace and n ->> 1 = :tenant
  union all
  select w.name, w.bucket, w.value
  from pawl.tallies
  cross join unnest(namespaces, tenants, names, buckets, amounts) as w (namespace, tenant, name, bucket, value)
  where w.namespace = :namespace and w.tenant = :tenant
) c group by name;

-- name: inspectLiveTally
-- A tenant's live actions, counted.
-- in: namespace, tenant
-- index: none (counts rows)
select status, count(*) as count from pawl.actions where namespace = :namespace and tenant = :tenant group by status;

-- name: inspectDoneTally
-- A tenant's finished actions, counted.
-- in: namespace, tenant
-- index: none (counts rows)
select status, archived_at is not null as archived, count(*) as count, min(kept_from) as oldest
from pawl.actions_done where namespace = :namespace and tenant = :tenant group by 1, 2;

-- name: inspectExecutionTally
-- A tenant's executions, counted.
-- in: namespace, tenant
-- index: primary key
select status, count(*) as count from pawl.executions
where namespace = :namespace and tenant = :tenant group by status;

-- name: inspectCheckpoints
-- The next checkpoints.
-- in: number, limit
-- index: primary key
select number, at, heads, hash, feed_position::bigint as feed_position from pawl.checkpoints where number > :number order by number limit :limit;

-- name: inspectCoverage
-- The oldest event, the last checkpoint, and whether a restore gave events other places.
-- in: nothing
-- index: primary key
select o.seq, o.place, (select max(number) from pawl.checkpoints) as newest,
  exists (select from pawl.events where xid = '3'::xid8) as rebased
from (select 1) one
left join lateral (
  select seq, xid::text::bigint as place from pawl.events order by xid, seq limit 1
) o on true;

-- name: inspectFeed
-- The next events between two checkpoints.
-- in: xid, seq, upto, limit
-- index: primary key
select xid::text as xid, seq, namespace, tenant, execution, type, at, data from pawl.events
where (xid, seq) > (:xid::xid8, :seq::bigint) and xid < :upto::xid8
order by events.xid, events.seq limit :limit;

-- name: inspectHeadsAt
-- The next executions with the newest line each had at a place of the feed, and the oldest it has now.
-- in: namespace, tenant, id, place, limit
-- index: primary key, events_history
select x.namespace, x.tenant, x.id, x.chain_number, x.chain_hash, t.number as number_then, t.hash as hash_then,
  (
    select o.number from pawl.events o
    where o.namespace = x.namespace and o.tenant = x.tenant and o.execution = x.id and o.number is not null
    order by o.number limit 1
  ) as first_number
from pawl.executions x
left join lateral (
  select e.number, e.hash from pawl.events e
  where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
    and e.xid < :place::xid8
  order by e.number desc limit 1
) t on true
where (x.namespace, x.tenant, x.id) > (:namespace, :tenant, :id)
order by x.namespace, x.tenant, x.id limit :limit;

-- name: inspectOccurrences
-- A slice of what became of occurrences: is their recurrence there, and the action they name?
-- in: namespace, tenant, recurrence, at, limit
-- index: primary key
select o.*, exists (
    select 1 from pawl.executions e
    where e.namespace = o.namespace and e.tenant = o.tenant and e.id = o.recurrence and e.kind = 'recurrence'
  ) as owned,
  exists (
    select 1 from pawl.actions a where a.id = o.action and a.namespace = o.namespace and a.tenant = o.tenant
  ) or exists (
    select 1 from pawl.actions_done d where d.namespace = o.namespace and d.tenant = o.tenant and d.id = o.action
  ) as acted
from (
  select o.namespace, o.tenant, o.recurrence, o.at, o.fate, o.told_at, o.details, o.details ->> 'action' as action
  from pawl.occurrences o
  where (o.namespace, o.tenant, o.recurrence, o.at) > (:namespace, :tenant, :recurrence, :at::bigint)
  order by o.namespace, o.tenant, o.recurrence, o.at limit :limit
) o
order by o.namespace, o.tenant, o.recurrence, o.at;

-- name: inspectAudit
-- A slice of the audit, each entry with the hash of the one before it in its tenant.
-- in: namespace, tenant, number, limit
-- index: primary key
select a.*, (
    select b.hash from pawl.audit b
    where b.namespace = a.namespace and b.tenant = a.tenant and b.number = a.number - 1
  ) as hash_before
from pawl.audit a
where (a.namespace, a.tenant, a.number) > (:namespace, :tenant, :number::bigint)
order by a.namespace, a.tenant, a.number limit :limit;

-- name: inspectPlaces
-- The next places of limits, taken or waited for, and whether their action is there.
-- in: namespace, tenant, key, action, limit
-- index: primary key
select p.namespace, p.tenant, p.key as name, p.action as owner,
  (
    select true from pawl.actions a
    where a.id = p.action and a.namespace = p.owner_namespace and a.tenant = p.owner_tenant
  ) is true or (
    select true from pawl.actions_done d
    where d.namespace = p.owner_namespace and d.tenant = p.owner_tenant and d.id = p.action limit 1
  ) is true as owned
from pawl.limit_places p
where (p.namespace, p.tenant, p.key, p.action) > (:namespace, :tenant, :key, :action)
order by p.namespace, p.tenant, p.key, p.action limit :limit;

-- name: inspectTasks
-- The next tasks, and whether the execution of each is there.
-- in: namespace, tenant, id, limit
-- index: primary key
select t.namespace, t.tenant, t.id as name, t.execution as owner,
  t.execution is null
  or (
    select true from pawl.executions x
    where x.namespace = t.namespace and x.tenant = t.tenant and x.id = t.execution
  ) is true as owned
from pawl.tasks t where (t.namespace, t.tenant, t.id) > (:namespace, :tenant, :id)
order by t.namespace, t.tenant, t.id limit :limit;

-- name: inspectBulkItems
-- The next items of bulk operations, and whether the operation of each is there.
-- in: namespace, tenant, bulk, action, limit
-- index: primary key
select i.namespace, i.tenant, i.bulk as owner, i.action as name,
  (
    select true from pawl.bulk_operations b
    where b.namespace = i.namespace and b.tenant = i.tenant and b.id = i.bulk
  ) is true as owned
from pawl.bulk_items i
where (i.namespace, i.tenant, i.bulk, i.action) > (:namespace, :tenant, :bulk, :action)
order by i.namespace, i.tenant, i.bulk, i.action limit :limit;

-- name: inspectBulks
-- The next bulk operations, each with its items counted.
-- in: namespace, tenant, id, limit
-- index: primary key
select b.namespace, b.tenant, b.id, b.status, b.content,
  (
    select count(*)::int from pawl.bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id
  ) as items,
  (
    select count(*)::int from pawl.bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id and i.status = 'succeeded'
  ) as succeeded,
  (
    select count(*)::int from pawl.bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id and i.status = 'failed'
  ) as failed
from pawl.bulk_operations b
where (b.namespace, b.tenant, b.id) > (:namespace, :tenant, :id)
order by b.namespace, b.tenant, b.id limit :limit;

-- name: inspectAlerts
-- The next alerts.
-- in: namespace, tenant, id, limit
-- index: primary key
select namespace, tenant, id, first_at, last_at, acknowledged_at, acknowledged_by, details
from pawl.alerts where (namespace, tenant, id) > (:namespace, :tenant, :id)
order by namespace, tenant, id limit :limit;

-- name: inspectOutbox
-- The next entries of the sandbox's outbox, and whether the action of each is there.
-- in: namespace, tenant, id, limit
-- index: primary key
select o.namespace, o.tenant, o.id, o.at, o.action, o.entry,
  o.action is null
  or (select true from pawl.actions a where a.id = o.action and a.namespace = o.namespace and a.tenant = o.tenant) is true
  or (
    select true from pawl.actions_done d
    where d.namespace = o.namespace and d.tenant = o.tenant and d.id = o.action limit 1
  ) is true as owned
from pawl.outbox o where (o.namespace, o.tenant, o.id) > (:namespace, :tenant, :id)
order by o.namespace, o.tenant, o.id limit :limit;

-- name: inspectLimits
-- The next limits and what they remember.
-- in: namespace, tenant, key, limit
-- index: primary key
select namespace, tenant, key, shut, state
from pawl.limits where (namespace, tenant, key) > (:namespace, :tenant, :key)
order by namespace, tenant, key limit :limit;
