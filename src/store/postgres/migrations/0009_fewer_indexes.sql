-- Every index is paid with every step. The history of actions is found by tenant and id: its key says that by itself, and
-- one index serves for two.
-- Of indexes that look alike to the planner (in a store that is new, or whose tables are small) it takes the one made last:
-- for an action or an execution that must be the key, by another one it reads all that run or all that the tenant has; for the
-- history of one execution its own index.

drop index pawl.actions_done_tenant;
drop index pawl.actions_done_execution;
alter table pawl.actions_done drop constraint actions_done_pkey;
alter table pawl.actions_done add primary key (namespace, tenant, id, kept_from);
create index actions_done_execution on pawl.actions_done (namespace, tenant, execution, id) where execution is not null;

alter table pawl.executions drop constraint executions_pkey;
alter table pawl.executions add primary key (namespace, tenant, id);

alter table pawl.actions drop constraint actions_pkey;
alter table pawl.actions add primary key (id);
