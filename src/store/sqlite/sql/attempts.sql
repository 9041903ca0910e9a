-- name: insertAttempt
-- How one attempt ended; a success at the first try has no row.
-- in: action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error
-- index: primary key
insert into attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error)
values (:action, :number, :namespace, :tenant, :outcome, :reason, :started_at, :ended_at, :worker, :error);

-- name: readAttempts
-- The attempts of an action, in the order they ended.
-- in: namespace, tenant, action
-- index: attempts_action
select number, outcome, started_at, ended_at, worker, error
from attempts where action = :action and namespace = :namespace and tenant = :tenant order by position;

-- name: deleteAttempts
-- With the action they belong to.
-- in: action
-- index: attempts_action
delete from attempts where action = :action;
