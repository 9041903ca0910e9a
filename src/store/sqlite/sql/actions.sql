-- name: insertAction
-- A live action: queued, claimed at birth, or dead at birth.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, token, nonce, worker, lease_until, size, hold, dedup_key, fingerprint, created_at, finished_at, error, plan
-- index: primary key
insert into actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, nonce, worker, lease_until, size, hold, cancel_requested, dedup_key, fingerprint, created_at, finished_at, error,
  plan)
values (:id, :namespace, :tenant, :lane, :execution, :source_kind, :source_id, :status, :due_at, 0, 0, 0,
  :token, :nonce, :worker, :lease_until, :size, :hold, 0, :dedup_key, :fingerprint, :created_at, :finished_at, :error,
  :plan);

-- name: actionExists
-- Was this id ever written and not purged?
-- in: namespace, tenant, id
-- index: primary key
select 1 as found from actions where id = :id
union all
select 1 from actions_done where namespace = :namespace and tenant = :tenant and id = :id
limit 1;

-- name: findFence
-- What a settlement or a control must agree with, and what it needs to go on.
-- in: id
-- index: primary key
select rowid as row, namespace, tenant, lane, status, token, nonce, lease_until, attempt, lost, reaps, started_at,
  finished_at, dedup_key, fingerprint, error
from actions where id = :id;

-- name: probeLane
-- Due rows of one lane, oldest first, as they are before they are taken; read one by one, and no further than they are. Whoever
-- reads them knows its columns by their places. A bare limit is compiled in: the statement would be prepared anew with every call.
-- in: lane, now, limit
-- index: actions_due
select rowid as row, size, id, namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token,
  cancel_requested, created_at, plan
from actions where lane = :lane and status = 'queued' and due_at <= :now order by due_at, id limit :limit + 0;

-- name: claimActions
-- Takes rows that were probed in the same transaction: a JSON list of their numbers.
-- in: rows, nonce, worker, lease_until
-- index: primary key
update actions set status = 'running', token = token + 1, nonce = :nonce, worker = :worker, lease_until = :lease_until,
  hold = null
where rowid in (select value from json_each(:rows));

-- name: extendLease
-- A longer lease for its holder; no row when it is no longer the holder's.
-- in: id, token, nonce, lease_until
-- index: primary key
update actions set lease_until = :lease_until
where id = :id and status = 'running' and token = :token and nonce = :nonce
returning cancel_requested;

-- name: expiredLeases
-- Claimed rows whose lease has run out, oldest first.
-- in: now, limit
-- index: actions_leases
select rowid as row, id, namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token,
  nonce, lease_until, cancel_requested, created_at, plan
from actions where status = 'running' and lease_until <= :now order by lease_until limit :limit + 0;

-- name: fenceAll
-- A new epoch: no claim made before fits any more, and every lease has run out.
-- in: nonce
-- index: actions_leases
update actions set nonce = :nonce, lease_until = 0 where status = 'running';

-- name: requeueAction
-- Back to the queue. A parked row stays parked and keeps saying why. One that is to be cancelled is due at once: whoever claims
-- it next ends it.
-- in: row, due_at, at, attempt, lost, reaps, started_at, error, hold
-- index: primary key
update actions set status = 'queued', due_at = iif(cancel_requested, :at, :due_at), attempt = :attempt, lost = :lost, reaps = :reaps,
  started_at = :started_at, error = :error, nonce = null, worker = null, lease_until = null,
  hold = case when lane < 0 then hold else :hold end
where rowid = :row;

-- name: holdAction
-- Released without an attempt: not now, and why; to be cancelled: now.
-- in: row, due_at, at, hold
-- index: primary key
update actions set status = 'queued', due_at = iif(cancel_requested, :at, :due_at), nonce = null, worker = null, lease_until = null,
  hold = case when lane < 0 then hold else :hold end
where rowid = :row;

-- name: endAction
-- Dead or in review: it stays, for a person.
-- in: row, status, attempt, lost, reaps, started_at, finished_at, error, fingerprint
-- index: primary key
update actions set status = :status, attempt = :attempt, lost = :lost, reaps = :reaps, started_at = :started_at,
  finished_at = :finished_at, error = :error, fingerprint = :fingerprint, nonce = null, lease_until = null
where rowid = :row;

-- name: reviveAction
-- Dead or reviewed and wanted again: numbers of attempts stay unique, the policy starts anew.
-- in: row, due_at
-- index: primary key
update actions set status = 'queued', due_at = :due_at, lost = attempt, reaps = 0, worker = null, finished_at = null,
  fingerprint = null, cancel_requested = 0
where rowid = :row;

-- name: requestCancel
-- Asks the holder of a claim to stop.
-- in: row
-- index: primary key
update actions set cancel_requested = 1 where rowid = :row;

-- name: runNow
-- Due at once.
-- in: row, due_at
-- index: primary key
update actions set due_at = :due_at, hold = case when lane < 0 then hold end where rowid = :row;

-- name: deleteActions
-- Takes finished rows out of the live ones: a JSON list of their numbers.
-- in: rows
-- index: primary key
delete from actions where rowid in (select value from json_each(:rows));

-- name: deleteSettled
-- The same of those that were settled without having been read: a JSON list of their ids.
-- in: ids
-- index: primary key
delete from actions where id in (select value from json_each(:ids));

-- name: cancellableActions
-- The live actions of an execution, to find those whose step was left.
-- in: namespace, tenant, execution
-- index: actions_execution
select rowid as row, id, status, attempt, lost, reaps, started_at, dedup_key, plan
from actions
where namespace = :namespace and tenant = :tenant and execution = :execution and status in ('queued', 'running');

-- name: parkExecutionActions
-- The actions of a paused execution leave their lanes; what runs now will come back parked.
-- in: namespace, tenant, execution, hold
-- index: actions_execution
update actions set lane = -lane, hold = :hold
where namespace = :namespace and tenant = :tenant and execution = :execution and lane > 0;

-- name: unparkExecutionActions
-- Back to the lanes.
-- in: namespace, tenant, execution
-- index: actions_execution
update actions set lane = -lane, hold = null
where namespace = :namespace and tenant = :tenant and execution = :execution and lane < 0;

-- name: parkDefinitionActions
-- The same for every paused execution of a definition.
-- in: namespace, tenant, definition, hold
-- index: actions_execution, executions_definition
update actions set lane = -lane, hold = :hold
where namespace = :namespace and tenant = :tenant and lane > 0
  and execution in (
    select id from executions indexed by executions_definition
    where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
  );

-- name: unparkDefinitionActions
-- Back to the lanes, for every execution of a definition that is no longer paused.
-- in: namespace, tenant, definition
-- index: actions_execution, executions_definition
update actions set lane = -lane, hold = null
where namespace = :namespace and tenant = :tenant and lane < 0
  and execution in (
    select id from executions indexed by executions_definition
    where namespace = :namespace and tenant = :tenant and definition = :definition and status <> 'paused'
  );

-- name: amendAction
-- One that waits for others of its key takes one in.
-- in: row, due_at, size, plan
-- index: primary key
update actions set due_at = :due_at, size = :size, plan = :plan where rowid = :row;

-- name: readAction
-- One live action of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from actions where id = :id and namespace = :namespace and tenant = :tenant;

-- name: queuedIds
-- Ids of a lane's queued rows, latest due first: index only.
-- in: lane, limit
-- index: actions_due
select id from actions where lane = :lane and status = 'queued' order by due_at desc, id desc limit :limit;

-- name: runningIds
-- Ids of a tenant's running rows; all that run are as many as there are slots.
-- in: namespace, tenant, limit
-- index: actions_leases
select id, lane from actions
where status = 'running' and lease_until >= 0 and namespace = :namespace and tenant = :tenant limit :limit;

-- name: deadIds
-- Ids of a tenant's dead letters.
-- in: namespace, tenant, limit
-- index: actions_dead
select id from actions where namespace = :namespace and tenant = :tenant and status = 'dead' limit :limit;

-- name: reviewIds
-- Ids of a tenant's actions that wait for a person.
-- in: namespace, tenant, limit
-- index: actions_review
select id from actions where namespace = :namespace and tenant = :tenant and status = 'review' limit :limit;

-- name: deadIdsOf
-- Ids of one group of dead letters, newest first.
-- in: namespace, tenant, fingerprint, before, limit
-- index: actions_dead
select id from actions
where namespace = :namespace and tenant = :tenant and fingerprint = :fingerprint and status = 'dead' and id < :before
order by id desc limit :limit;

-- name: reviewIdsOf
-- Ids of one group of reviews, newest first.
-- in: namespace, tenant, fingerprint, before, limit
-- index: actions_review
select id from actions
where namespace = :namespace and tenant = :tenant and fingerprint = :fingerprint and status = 'review' and id < :before
order by id desc limit :limit;

-- name: executionIds
-- Ids of an execution's live actions.
-- in: namespace, tenant, execution, limit
-- index: actions_execution
select id from actions
where namespace = :namespace and tenant = :tenant and execution = :execution limit :limit;

-- name: countRunning
-- How many of a tenant's actions run now.
-- in: namespace, tenant
-- index: actions_leases
select count(*) as count from actions
where status = 'running' and lease_until >= 0 and namespace = :namespace and tenant = :tenant;

-- name: deadGroups
-- Dead letters by fingerprint, index only; the newest row of a group speaks for it.
-- in: namespace, tenant, limit
-- index: actions_dead
select fingerprint, count(*) as count, min(finished_at) as first_at, max(finished_at) as last_at, max(id) as newest
from actions where namespace = :namespace and tenant = :tenant and status = 'dead'
group by fingerprint order by last_at desc, fingerprint limit :limit;
