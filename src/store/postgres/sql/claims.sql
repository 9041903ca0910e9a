-- name: noteClaims
-- Actions that were born claimed, written down together.
-- in: sheet, lease_until, lease_ms, actions
-- index: primary key
insert into pawl.claims (sheet, look_at, actions)
values (:sheet, coalesce(:lease_until::bigint, pawl.clock_ms() + :lease_ms::bigint), :actions::text[]);

-- name: forgetClaims
-- Of what is on these sheets nothing runs any more. Should that be lost, it is found out later: it need not wait for the disk.
-- in: over
-- index: primary key
with hurry as materialized (
  select set_config('synchronous_commit', 'off', true)
)
delete from pawl.claims using hurry where sheet = any (:over::text[]);

-- name: reviewClaims
-- It is time to look at these sheets: when the next lease on them runs out, or that nothing on them runs any more. Those of an epoch
-- that is over stay first.
-- in: lease, limit
-- index: claims_look_at, primary key
with seen as materialized (
  select c.sheet, (
    select min(a.lease_until) from unnest(c.actions) as u (id)
    cross join lateral (select lease_until from pawl.actions where id = u.id and status = 'running' offset 0) a
  ) as next
  from (
    select sheet, actions from pawl.claims where look_at <= coalesce(:lease::bigint, pawl.clock_ms())
    order by look_at limit :limit for update skip locked
  ) c
), forgotten as (
  delete from pawl.claims where sheet = any (array(select sheet from seen where next is null))
)
update pawl.claims c set look_at = s.next from seen s
where c.sheet = s.sheet and s.next is not null and c.look_at > 0;
