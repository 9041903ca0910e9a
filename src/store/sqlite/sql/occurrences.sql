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

-- name: firedOccurrences
-- The instants of a range that fired, in order.
-- in: namespace, tenant, recurrence, from, to, limit
-- index: primary key
select at from occurrences
where namespace = :namespace and tenant = :tenant and recurrence = :recurrence
  and at >= :from and at < :to and fate = 'fired'
order by at limit :limit;

-- name: pruneOccurrences
-- A slice of what was told before.
-- in: before, limit
-- index: occurrences_told
delete from occurrences where rowid in (
  select rowid from occurrences where told_at < :before order by told_at limit :limit
);

-- name: watchedRecurrences
-- Recurrences that are to fire again, of all tenants in order of their identity, whose timer is due before an instant or is
-- not there.
-- in: namespace, tenant, id, before, limit
-- index: executions_recurring, primary key
select * from (
  select e.*, (
    select min(t.due_at) from timers t
    where t.namespace = e.namespace and t.tenant = e.tenant and t.execution = e.id and t.held = 0
  ) as due_at
  from executions e indexed by executions_recurring
  where e.kind = 'recurrence' and e.status = 'active' and e.state = 'scheduled'
    and (e.namespace, e.tenant, e.id) > (:namespace, :tenant, :id)
) r
where coalesce(r.due_at, 0) < :before
order by r.namespace, r.tenant, r.id limit :limit;
