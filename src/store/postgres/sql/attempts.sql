-- name: insertAttempts
-- How attempts ended; a success at the first try has no row.
-- in: rows
-- index: primary key
insert into pawl.attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error)
select action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker, error::json
from json_to_recordset(:rows::json) as w (action text, number int, namespace text, tenant text, outcome text, reason text,
  started_at bigint, ended_at bigint, worker text, error text);

-- name: readAttempts
-- The attempts of an action, in the order they ended.
-- in: namespace, tenant, action
-- index: attempts_action
select number, outcome, started_at, ended_at, worker, error
from pawl.attempts where action = :action and namespace = :namespace and tenant = :tenant order by position;
