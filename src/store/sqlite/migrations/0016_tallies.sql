-- breaking
-- What one transaction counts of many tenants is one row, and goes to the counters with what others have counted: each tenant, hour and
-- name has a row there, so that two hundred actions of as many tenants wrote four hundred. An older version would count too little.

create table tallies (
  number integer primary key,
  counts text not null,
  seal text not null generated always as (concat_ws(' ', number)) stored
) strict;
