-- name: takeChore
-- The chore is taken when nobody has it, its time is over, or the holder asks again.
-- in: name, holder, lease_ms
-- index: primary key
insert into pawl.chores as c (name, holder, until) values (:name, :holder, pawl.clock_ms() + :lease_ms::bigint)
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where c.until <= pawl.clock_ms() or c.holder = excluded.holder;

-- name: insertCheckpoint
-- Writes the next checkpoint down, unless another process was quicker: each covers the hash of the one before it.
-- in: number, at, heads, hash, feed_position
-- index: primary key
insert into pawl.checkpoints (number, at, heads, hash, feed_position) overriding system value
values (:number, :at, :heads, :hash, :feed_position) on conflict (number) do nothing;

-- name: lastCheckpoint
-- Where the last one ended, and its hash, which the next one covers.
-- in: nothing
-- index: primary key
select number, at, heads, hash, feed_position from pawl.checkpoints order by number desc limit 1;
