-- What became of each occurrence of a recurrence.

create table pawl.occurrences (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  recurrence text collate "C" not null check (recurrence <> ''),
  at bigint not null,
  fate text collate "C" not null check (fate in ('fired', 'skipped', 'coalesced')),
  told_at bigint not null,
  details json not null,
  primary key (namespace, tenant, recurrence, at)
);

create index occurrences_told on pawl.occurrences (told_at);

alter table pawl.occurrences enable row level security;
create policy reader on pawl.occurrences for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
