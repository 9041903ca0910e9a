-- breaking
-- Actions that begin as they are written are settled a moment later, most of them: a row of their own, with an entry in each of four
-- trees, is made and taken away again, a third of what a step of an execution writes. What one transaction begins is one row here
-- instead, and whoever wants to see or change one of them gives them rows of their own first. An older version would not.

create table begun (
  number integer primary key,
  revision integer not null check (revision > 0),
  content text not null,
  seal text not null generated always as (concat_ws(' ', number, revision)) stored
) strict;
