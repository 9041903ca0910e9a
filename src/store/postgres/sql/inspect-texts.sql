-- name: textsOfExecutions
-- The next rows of executions, each as one text.
-- in: namespace, tenant, id, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.id)::text as place, to_json(t)::text as text from pawl.executions t
where (t.namespace, t.tenant, t.id) > (:namespace, :tenant, :id) order by t.namespace, t.tenant, t.id limit :limit;

-- name: textsOfActions
-- The next rows of actions, each as one text.
-- in: id, limit
-- index: primary key
select json_build_array(t.id)::text as place, to_json(t)::text as text from pawl.actions t
where t.id > :id order by t.id limit :limit;

-- name: textsOfActionsDone
-- The next rows of actions_done, each as one text.
-- in: namespace, tenant, id, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.id)::text as place, to_json(t)::text as text from pawl.actions_done t
where (t.namespace, t.tenant, t.id) > (:namespace, :tenant, :id) order by t.namespace, t.tenant, t.id limit :limit;

-- name: textsOfAttempts
-- The next rows of attempts, each as one text.
-- in: position, limit
-- index: primary key
select json_build_array(t.position)::text as place, to_json(t)::text as text from pawl.attempts t
where t.position > :position order by t.position limit :limit;

-- name: textsOfEvents
-- The next rows of events, each as one text.
-- in: xid, seq, limit
-- index: primary key
select json_build_array(t.xid::text::bigint, t.seq)::text as place, to_json(t)::text as text from pawl.events t
where (t.xid, t.seq) > (:xid::xid8, :seq::bigint) order by t.xid, t.seq limit :limit;

-- name: textsOfInbox
-- The next rows of inbox, each as one text.
-- in: namespace, tenant, execution, event_id, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.execution, t.event_id)::text as place, to_json(t)::text as text from pawl.inbox t
where (t.namespace, t.tenant, t.execution, t.event_id) > (:namespace, :tenant, :execution, :event_id) order by t.namespace, t.tenant, t.execution, t.event_id limit :limit;

-- name: textsOfTimers
-- The next rows of timers, each as one text.
-- in: namespace, tenant, execution, key, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.execution, t.key)::text as place, to_json(t)::text as text from pawl.timers t
where (t.namespace, t.tenant, t.execution, t.key) > (:namespace, :tenant, :execution, :key) order by t.namespace, t.tenant, t.execution, t.key limit :limit;

-- name: textsOfDedup
-- The next rows of dedup, each as one text.
-- in: namespace, tenant, key, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.key)::text as place, to_json(t)::text as text from pawl.dedup t
where (t.namespace, t.tenant, t.key) > (:namespace, :tenant, :key) order by t.namespace, t.tenant, t.key limit :limit;

-- name: textsOfPauses
-- The next rows of pauses, each as one text.
-- in: namespace, tenant, scope, value, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.scope, t.value)::text as place, to_json(t)::text as text from pawl.pauses t
where (t.namespace, t.tenant, t.scope, t.value) > (:namespace, :tenant, :scope, :value) order by t.namespace, t.tenant, t.scope, t.value limit :limit;

-- name: textsOfDefinitions
-- The next rows of definitions, each as one text.
-- in: namespace, tenant, kind, id, hash, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.kind, t.id, t.hash)::text as place, to_json(t)::text as text from pawl.definitions t
where (t.namespace, t.tenant, t.kind, t.id, t.hash) > (:namespace, :tenant, :kind, :id, :hash) order by t.namespace, t.tenant, t.kind, t.id, t.hash limit :limit;

-- name: textsOfLanes
-- The next rows of lanes, each as one text.
-- in: lane, limit
-- index: primary key
select json_build_array(t.lane)::text as place, to_json(t)::text as text from pawl.lanes t
where t.lane > :lane order by t.lane limit :limit;

-- name: textsOfWorkers
-- The next rows of workers, each as one text.
-- in: id, limit
-- index: primary key
select json_build_array(t.id)::text as place, to_json(t)::text as text from pawl.workers t
where t.id > :id order by t.id limit :limit;

-- name: textsOfSecrets
-- The next rows of secrets, each as one text.
-- in: namespace, tenant, name, limit
-- index: primary key
select json_build_array(t.namespace, t.tenant, t.name)::text as place, to_json(t)::text as text from pawl.secrets t
where (t.namespace, t.tenant, t.name) > (:namespace, :tenant, :name) order by t.namespace, t.tenant, t.name limit :limit;

-- name: textsOfStoreMeta
-- The next rows of store_meta, each as one text.
-- in: key, limit
-- index: primary key
select json_build_array(t.key)::text as place, to_json(t)::text as text from pawl.store_meta t
where t.key > :key order by t.key limit :limit;
