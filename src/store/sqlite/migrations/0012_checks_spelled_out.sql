-- A CHECK with a list of more than two makes a table of the list with every statement that writes the column: 1.3 µs each, four
-- for each step of an execution. As alternatives it costs next to nothing. SQLite changes no CHECK in place, so the two tables
-- that every step writes are copied once, in the order of their rows. What rows say and may say is as it was. A view that somebody
-- else keeps in the file goes on naming the tables as they were called.

pragma legacy_alter_table = on;

drop index executions_recent;
drop index executions_definition;
drop index executions_status;
drop index executions_state;
drop index executions_recurrences;
alter table executions rename to executions_before;

create table executions (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  kind text not null check (
    kind = 'machine' or kind = 'journey' or kind = 'recurrence' or kind = 'stream' or kind = 'reconciler'
  ),
  definition text not null,
  definition_hash text not null,
  status text not null check (
    status = 'active' or status = 'waiting' or status = 'paused' or status = 'completed' or status = 'failed'
    or status = 'cancelled'
  ),
  paused_from text check (
    paused_from = 'active' or paused_from = 'waiting' or paused_from = 'paused' or paused_from = 'completed'
    or paused_from = 'failed' or paused_from = 'cancelled'
  ),
  state text,
  input_hash text,
  revision integer not null check (revision > 0),
  chain_number integer not null,
  chain_hash text not null,
  created_at integer not null,
  updated_at integer not null,
  error text,
  visits text not null,
  pending text not null,
  variables text not null,
  seal text not null generated always as (
    concat_ws(' ', kind, definition_hash, input_hash, revision, chain_number, chain_hash, updated_at)
  ) stored,
  primary key (namespace, tenant, id)
) strict;

insert into executions (namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash, revision,
  chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables)
select namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash, revision,
  chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables
from executions_before order by rowid;

drop table executions_before;

create index executions_recent on executions (namespace, tenant, created_at, id);
create index executions_definition on executions (namespace, tenant, definition, created_at, id);
create index executions_status on executions (namespace, tenant, status, created_at, id);
create index executions_state on executions (namespace, tenant, state, created_at, id);
create index executions_recurrences on executions (namespace, tenant, created_at, id) where kind = 'recurrence';

drop index actions_due;
drop index actions_leases;
drop index actions_execution;
drop index actions_dead;
drop index actions_review;
drop index actions_dead_age;
alter table actions rename to actions_before;

create table actions (
  id text not null primary key check (id <> ''),
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  lane integer not null check (lane <> 0),
  execution text,
  source_kind text not null,
  source_id text not null,
  status text not null check (status = 'queued' or status = 'running' or status = 'dead' or status = 'review'),
  due_at integer not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token integer not null,
  nonce text,
  worker text,
  lease_until integer,
  size integer not null,
  hold text,
  cancel_requested integer not null check (cancel_requested in (0, 1)),
  dedup_key text,
  fingerprint text,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  archived_at integer,
  error text,
  result text,
  plan text not null,
  seal text not null generated always as (
    concat_ws(' ', namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token,
      nonce, worker, lease_until, size, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at,
      finished_at, archived_at)
  ) stored,
  check (status <> 'running' or (nonce is not null and lease_until is not null))
) strict;

insert into actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token,
  nonce, worker, lease_until, size, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at, finished_at,
  archived_at, error, result, plan)
select id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token,
  nonce, worker, lease_until, size, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at, finished_at,
  archived_at, error, result, plan
from actions_before order by rowid;

drop table actions_before;

create index actions_due on actions (lane, due_at, id) where status = 'queued';
create index actions_leases on actions (lease_until) where status = 'running';
create index actions_execution on actions (namespace, tenant, execution) where execution is not null;
create index actions_dead on actions (namespace, tenant, fingerprint, id, finished_at) where status = 'dead';
create index actions_review on actions (namespace, tenant, fingerprint, id, finished_at) where status = 'review';
create index actions_dead_age on actions (finished_at, id) where status = 'dead';

pragma legacy_alter_table = off;
