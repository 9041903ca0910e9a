-- breaking
-- What a commit of many tenants counts is one row of arrays, and goes to the counters with those of many commits: a row less for each
-- tenant and name of each of them. A version that does not know it would count too little.

create table pawl.tallies (
  number bigint generated always as identity primary key,
  namespaces text[] collate "C" not null,
  tenants text[] collate "C" not null,
  names text[] collate "C" not null,
  buckets bigint[] not null,
  amounts bigint[] not null
);
alter table pawl.tallies enable row level security;
