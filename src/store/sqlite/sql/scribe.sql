-- name: scribeGuard
-- Is the store as whoever dictated knew it, with nothing paused?
-- in: nothing
-- index: none (a handful of rows)
select value as epoch, (select value from store_meta where key = 'full') as full, exists (select 1 from pauses) as paused
from store_meta where key = 'epoch';
