// Owns the columns of a table of PostgreSQL that are given and not computed: whoever copies its rows names these.

/** The query that lists them, in one text as `columns`. */
export const givenColumns = (table: string): string =>
  `select string_agg(attname, ', ') as columns from pg_attribute
   where attrelid = 'pawl.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
