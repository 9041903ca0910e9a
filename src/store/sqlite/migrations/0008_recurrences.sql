-- What became of each occurrence of a recurrence.

create table occurrences (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  recurrence text not null check (recurrence <> ''),
  at integer not null,
  fate text not null check (fate in ('fired', 'skipped', 'coalesced')),
  told_at integer not null,
  details text not null,
  seal text not null generated always as (concat_ws(' ', fate, told_at)) stored,
  primary key (namespace, tenant, recurrence, at)
) strict;

create index occurrences_told on occurrences (told_at);
