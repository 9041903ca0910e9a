-- name: putOccurrences
-- What became of occurrences; what fired stays fired.
-- in: rows
-- index: primary key
insert into pawl.occurrences as o (namespace, tenant, recurrence, at, fate, told_at, details)
select namespace, tenant, recurrence, at, fate, told_at, details::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, recurrence text, at bigint, fate text,
  told_at bigint, details text)
on conflict (namespace, tenant, recurrence, at)
do update set fate = excluded.fate, told_at = excluded.told_at, details = excluded.details
where o.fate <> 'fired';

-- name: recentOccurrences
-- The occurrences of a recurrence, newest first.
-- in: namespace, tenant, recurrence, at, limit
-- index: primary key
select at, fate, told_at, details from pawl.occurrences
where namespace = :namespace and tenant = :tenant and recurrence = :recurrence and at < :at
order by at desc limit :limit;

-- name: occurrencesBetween
-- What became of those in a range, in order.
-- in: namespace, tenant, recurrence, from, to, limit
-- index: primary key
select at, fate, told_at, details from pawl.occurrences
where namespace = :namespace and tenant = :tenant and recurrence = :recurrence
  and at >= :from and at < :to
order by at limit :limit;

-- name: pruneOccurrences
-- A slice of what was told before.
-- in: before, limit
-- index: occurrences_told
delete from pawl.occurrences where ctid = any (array(
  select ctid from pawl.occurrences where told_at < :before order by told_at limit :limit for update skip locked
));

-- name: watchedRecurrences
-- Recurrences of a tenant that are to fire again and whose timer is due before an instant, or is not there; newest first.
-- By their own index, and each one's timers by their key: a text joined to nothing, `is not true` and a value instead of an
-- `exists` leave no other way, with or without statistics.
-- in: namespace, tenant, created_at, id, before, limit
-- index: executions_recurrences, primary key
select e.*, (
  select min(t.due_at) from pawl.timers t
  where t.namespace = e.namespace and t.tenant = e.tenant and t.execution = e.id and t.held is not true
) as due_at
from pawl.executions e
where e.namespace = :namespace and e.tenant = :tenant and e.kind = 'recurrence'
  and (e.created_at, e.id) < (:created_at::bigint, :id) and e.state || '' = 'scheduled' and e.status || '' = 'active'
  and coalesce((
    select max(t.due_at) from pawl.timers t
    where t.namespace = e.namespace and t.tenant = e.tenant and t.execution = e.id and t.held is not true
  ), 0) < :before::bigint
order by e.created_at desc, e.id desc limit :limit;
