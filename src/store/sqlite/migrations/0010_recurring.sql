-- The recurrences that are to fire again, of all tenants: whoever watches over them looks at no other execution.

create index executions_recurring on executions (namespace, tenant, id)
where kind = 'recurrence' and status = 'active' and state = 'scheduled';
