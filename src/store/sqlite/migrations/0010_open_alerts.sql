-- Few alerts are open among all that ever were: either kind is listed by itself.

create index alerts_open on alerts (namespace, tenant, (acknowledged_at is null), first_at, id);
