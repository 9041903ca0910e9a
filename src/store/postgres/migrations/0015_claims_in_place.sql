-- breaking
-- A claim changes a row and nothing in it that is indexed: with room in the page the new version stays where the old one is, and no
-- index is written (10 us instead of 17 of the server, a third of the WAL). So no index says whether a row waits or runs. It says
-- where it stands: in line, which one that was claimed out of it still does, dead, or in review; one that was born claimed
-- stands nowhere. Claims that were made together are written down once, with when to look at them again: by that, leases that
-- have run out are found, and what runs now.

create table pawl.claims (
  sheet text collate "C" primary key check (sheet <> ''),
  look_at bigint not null,
  actions text[] collate "C" not null
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index claims_look_at on pawl.claims (look_at);
alter table pawl.claims enable row level security;

insert into pawl.claims (sheet, look_at, actions)
select min(id || '/' || token || '/' || nonce), min(lease_until), array_agg(id) from pawl.actions
where status = 'running' group by nonce;

drop index pawl.actions_due;
drop index pawl.actions_leases;
drop index pawl.actions_dead;
drop index pawl.actions_dead_age;
drop index pawl.actions_review;
alter table pawl.actions set (fillfactor = 45);
alter table pawl.actions add column standing text collate "C";
update pawl.actions set standing = case when status in ('queued', 'running') then 'line' else status end;
alter table pawl.actions add check (
  standing is not distinct from case when status = 'queued' then 'line' else status end
  or status = 'running' and (standing is null or standing = 'line')
);
create index actions_due on pawl.actions (lane, due_at, id) where standing = 'line';
create index actions_dead on pawl.actions (namespace, tenant, fingerprint, id, finished_at) where standing = 'dead';
create index actions_dead_age on pawl.actions (finished_at, id) where standing = 'dead';
create index actions_review on pawl.actions (namespace, tenant, fingerprint, id, finished_at) where standing = 'review';

-- Made last, so that it is taken where the planner cannot tell (0009).
alter table pawl.actions drop constraint actions_pkey;
alter table pawl.actions add primary key (id);
