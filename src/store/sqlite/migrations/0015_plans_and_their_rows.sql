-- breaking
-- Plans are written without what the row they lie in says beside them (stored-plan.ts). Rows that are there stay as they are; a
-- version that does not know where to look must not read those that come.

select 1;
