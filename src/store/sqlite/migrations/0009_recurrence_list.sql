-- Recurrences are few among executions: they are listed and watched by themselves.

create index executions_recurrences on executions (namespace, tenant, created_at, id) where kind = 'recurrence';
