-- Few alerts are open among all that ever were: either kind is listed by itself.

create index alerts_open on pawl.alerts (namespace, tenant, ((acknowledged_at is null)::int), first_at, id);
