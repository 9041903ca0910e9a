-- name: putOccurrence
-- What became of an occurrence; what fired stays fired.
-- in: namespace, tenant, recurrence, at, fate, told_at, details
-- index: primary key
insert into occurrences (namespace, tenant, recurrence, at, fate, told_at, details)
values (:namespace, :tenant, :recurrence, :at, :fate, :told_at, :details)
on conflict (namespace, tenant, recurrence, at)
do update set fate = excluded.fate, told_at = excluded.told_at, details = excluded.details
where occurrences.fate <> 'fired';

-- name: recentOccurrences
-- The occurrences of a recurrence, newest first.
-- in: namespace, tenant, recurrence, at, limit
-- index: primary key
select at, fate, told_at, details from occurrences
where namespace = :namespace and tenant = :tenant and recurrence = :recurrence and at < :at
order by at desc limit :limit;

-- name: occurrencesBetween
-- What became of those in a range, in order.
-- in: namespace, tenant, recurrence, from, to, limit
-- index: primary key
select at, fate, told_at, details from occurrences
where namespace = :namespace and tenant = :tenant and recurrence = :recurrence
  and at >= :from and at < :to
order by at limit :limit;

-- name: pruneOccurrences
-- A slice of what was told before.
-- in: before, limit
-- index: occurrences_told
delete from occurrences where rowid in (
  select rowid from occurrences where told_at < :before order by told_at limit :limit
);

-- name: watchedRecurrences
-- Recurrences of a tenant that are to fire again and whose timer is due before an instant, or is not there; newest first.
-- A plus before `held`: the index of a whole tenant's timers would be walked for each of them; and before the state, which
-- machines may have too.
-- in: namespace, tenant, created_at, id, before, limit
-- index: executions_recurrences, primary key
select e.*, (
  select min(t.due_at) from timers t
  where t.namespace = e.namespace and t.tenant = e.tenant and t.execution = e.id and +t.held = 0
) as due_at
from executions e
where e.namespace = :namespace and e.tenant = :tenant and e.kind = 'recurrence'
  and (e.created_at, e.id) < (:created_at, :id) and +e.state = 'scheduled' and +e.status = 'active'
  and not exists (
    select 1 from timers t
    where t.namespace = e.namespace and t.tenant = e.tenant and t.execution = e.id and +t.held = 0
      and t.due_at >= :before
  )
order by e.created_at desc, e.id desc limit :limit;
