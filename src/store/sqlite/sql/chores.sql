-- name: takeChore
-- The chore is taken when nobody has it, its time is over, or the holder asks again.
-- in: name, holder, until, now
-- index: primary key
insert into chores (name, holder, until) values (:name, :holder, :until)
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where chores.until <= :now or chores.holder = excluded.holder;

-- name: insertCheckpoint
-- Writes the next checkpoint down, unless another process was quicker: each covers the hash of the one before it.
-- in: number, at, heads, hash, feed_position
-- index: primary key
insert into checkpoints (number, at, heads, hash, feed_position)
values (:number, :at, :heads, :hash, :feed_position) on conflict (number) do nothing;

-- name: lastCheckpoint
-- Where the last one ended, and its hash, which the next one covers.
-- in: nothing
-- index: none (the last row, by number)
select number, at, heads, hash, feed_position from checkpoints order by number desc limit 1;
