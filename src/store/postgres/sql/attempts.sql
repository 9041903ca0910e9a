-- name: insertAttempts
-- How attempts ended; a success at the first try has no row.
-- in: action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error
-- index: primary key
insert into pawl.attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error)
select action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error
from unnest(:action::text[], :number::int[], :namespace::text[], :tenant::text[], :outcome::text[], :reason::text[],
  :started_at::bigint[], :ended_at::bigint[], :worker::text[], :error::json[])
  as w (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error);

-- name: readAttempts
-- The attempts of an action, in the order they ended.
-- in: namespace, tenant, action
-- index: attempts_action
select number, outcome, started_at, ended_at, worker, error
from pawl.attempts where action = :action and namespace = :namespace and tenant = :tenant order by position;
