-- name: anyBegun
-- Is there a bundle of actions that began as they were written?
-- in: nothing
-- index: none (the first row)
select 1 as found from begun limit 1;

-- name: insertBegun
-- What one transaction has begun: a JSON list of rows.
-- in: number, content
-- index: primary key
insert into begun (number, revision, content) values (:number, 1, :content);

-- name: rewriteBegun
-- What is left of a bundle, if it is as it was known.
-- in: number, revision, content
-- index: primary key
update begun set revision = revision + 1, content = :content where number = :number and revision = :revision;

-- name: dropBegun
-- All of a bundle has ended, or has rows of its own, if it is as it was known.
-- in: number, revision
-- index: primary key
delete from begun where number = :number and revision = :revision;

-- name: readBegun
-- Every bundle.
-- in: nothing
-- index: none (as many as there are transactions of what runs)
select number, revision, content from begun;

-- name: clearBegun
-- All of them have rows of their own.
-- in: nothing
-- index: none (all rows)
delete from begun;

-- name: unfoldBegun
-- Rows of their own for what is in a bundle: a JSON list of lists. Their ids were drawn; should one be there all the same, nobody
-- else is to wait for it for ever.
-- in: rows
-- index: none (insert only)
insert into actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, nonce, worker, lease_until, size, cancel_requested, created_at, plan)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, 'running', value ->> 7, 0, 0, 0,
  value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, 0, value ->> 13, value ->> 14
from json_each(:rows) where true
on conflict (id) do nothing;

-- name: insertSettled
-- One of a bundle that succeeded, into the history.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token, worker, size, created_at, started_at, finished_at, result, plan
-- index: primary key
insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, worker, size, created_at, started_at, finished_at, result, plan)
values (:id, :namespace, :tenant, :lane, :execution, :source_kind, :source_id, 'succeeded', :due_at, :attempt, :lost, :reaps,
  :token, :worker, :size, :created_at, :started_at, :finished_at, :result, :plan);
