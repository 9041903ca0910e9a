// Owns the dump of the PostgreSQL schema, read back from the catalogs of a database that was migrated: schema.sql, which
// is committed so that a change of the schema can be read in one place. Run as a script it writes that file.

import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { createDatabase, releaseServer, useServer } from './postgres-server.ts'
import { randomText, realTimers } from './real-timers.ts'

export const SCHEMA_FILE = fileURLToPath(new URL('../../src/store/postgres/schema.sql', import.meta.url))

/** Partitions of a month come and go: only the one without bounds is part of the schema. */
const TABLES = `
  select c.oid, c.relname as name, coalesce(pg_get_partkeydef(c.oid), '') as partition,
    coalesce(array_to_string(c.reloptions, ', '), '') as options
  from pg_class c where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p')
    and c.relname !~ '_[0-9]{4}_[0-9]{2}$'
  order by c.relname`

const COLUMNS = `
  select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when k.collname = 'C' then ' collate "C"' else '' end
    || case when a.attnotnull then ' not null' else '' end
    || case when a.attidentity = 'a' and not c.relispartition then ' generated always as identity' else '' end
    || coalesce(case when a.attgenerated = 's'
        then ' generated always as (' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '\\s+', ' ', 'g') || ') stored'
        else ' default ' || pg_get_expr(d.adbin, d.adrelid) end, '') as line
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  left join pg_collation k on k.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`

const CONSTRAINTS = `
  select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where conrelid = $1 and contype in ('p', 'u', 'c') and conparentid = 0 order by contype, conname`

const INDEXES = `
  select pg_get_indexdef(i.indexrelid) as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1 and not exists (select from pg_constraint where conindid = i.indexrelid)
    and not exists (select from pg_inherits where inhrelid = i.indexrelid)
  order by c.relname`

const POLICIES = `
  select 'create policy ' || polname || ' on ' || polrelid::regclass || ' using ' || pg_get_expr(polqual, polrelid) as line
  from pg_policy where polrelid = $1 order by polname`

/** Versions of PostgreSQL print the body of a function differently. */
const FUNCTIONS = `
  select 'create function pawl.' || proname || '() returns ' || pg_get_function_result(oid)
    || case provolatile when 's' then ' stable' when 'i' then ' immutable' else ' volatile' end as line
  from pg_proc where pronamespace = 'pawl'::regnamespace order by proname`

type Lines = readonly { readonly line: string }[]

const read = async (
  client: pg.Client,
  query: string,
  values: readonly unknown[] = [],
): Promise<readonly string[]> =>
  ((await client.query(query, [...values])).rows as Lines).map(({ line }) => line)

export const dumpSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const parts = (await read(client, FUNCTIONS)).map((text) => `${text.trim()};\n`)
    for (const { oid, name, partition, options } of (await client.query(TABLES)).rows) {
      const columns = [...(await read(client, COLUMNS, [oid])), ...(await read(client, CONSTRAINTS, [oid]))]
      const tail = [partition && `partition by ${partition}`, options && `with (${options})`].filter(Boolean)
      const more = [...(await read(client, INDEXES, [oid])), ...(await read(client, POLICIES, [oid]))]
      const head = `create table pawl.${name} (\n  ${columns.join(',\n  ')}\n)${tail.map((text) => ` ${text}`).join('')};\n`
      parts.push([head, ...more.map((line) => `${line};\n`)].join(''))
    }
    return parts.join('\n')
  } finally {
    await client.end()
  }
}

const main = async (): Promise<void> => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: realTimers })
  await store.close()
  writeFileSync(SCHEMA_FILE, await dumpSchema(url))
  await releaseServer()
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
