-- A commit that is sent in one piece has no number by which it could be asked about when its answer is lost. It signs instead: each
-- connection has a receipt with the number of its last commit, and who asks makes it void, so that nothing signs it later.

create table pawl.receipts (
  writer text collate "C" primary key,
  number bigint not null,
  void boolean not null default false,
  at bigint not null
) with (fillfactor = 20);
alter table pawl.receipts enable row level security;
