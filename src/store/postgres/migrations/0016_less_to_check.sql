-- The server reads the text of a check anew with every statement that writes its table, and plans it: 50 us for an action that is
-- inserted by itself, 40 for an execution, 30 for a step of it, and each row is asked once more by its claim. These tables are
-- written by the store alone: it refuses what has no name (names.ts), and verify names a row that says what it cannot
-- (inspect.sql).
-- What is found by its execution is compared by that first: namespace and tenant are the same in nearly all that an entry is
-- compared with, and were compared each time (1 us for each row of a step, of 16 to 20).

alter table pawl.actions
  drop constraint if exists actions_check,
  drop constraint if exists actions_check1,
  drop constraint if exists actions_id_check,
  drop constraint if exists actions_lane_check,
  drop constraint if exists actions_namespace_check,
  drop constraint if exists actions_status_check,
  drop constraint if exists actions_tenant_check;
alter table pawl.actions_done drop constraint if exists actions_done_status_check;
alter table pawl.executions
  drop constraint if exists executions_id_check,
  drop constraint if exists executions_kind_check,
  drop constraint if exists executions_namespace_check,
  drop constraint if exists executions_paused_from_check,
  drop constraint if exists executions_revision_check,
  drop constraint if exists executions_status_check,
  drop constraint if exists executions_tenant_check;
alter table pawl.claims drop constraint if exists claims_sheet_check;

drop index pawl.actions_execution;
create index actions_execution on pawl.actions (execution, namespace, tenant) where execution is not null;
drop index pawl.actions_done_execution;
create index actions_done_execution on pawl.actions_done (execution, namespace, tenant, id) where execution is not null;
drop index pawl.events_history;
create unique index events_history on pawl.events (execution, namespace, tenant, number, at) where number is not null;
