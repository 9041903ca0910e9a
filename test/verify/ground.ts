// The stores verify is tested on: filled once, damaged by raw SQL, looked at, and put back as they were.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { JsonObject } from '../../src/core/json.ts'
import type { Inspector } from '../../src/store/inspect.ts'
import { createConnections } from '../../src/store/postgres/connections.ts'
import { createInspector } from '../../src/store/postgres/inspect.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { type EventRecord, eventData, sealEvent } from '../../src/store/sqlite/rows.ts'
import { seal, unseal } from '../../src/store/sqlite/sealed.ts'
import { givenColumns } from '../stores/given-columns.ts'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'
import { fill, type Names } from './fill.ts'

/** How a row is damaged: by a statement that both databases understand, or by changing what a JSON column holds. */
export interface Hammer {
  readonly sql: (text: string) => Promise<void>
  readonly json: (
    table: string,
    column: string,
    where: string,
    change: (value: JsonObject) => JsonObject,
  ) => Promise<void>
}

export interface Ground {
  readonly names: Names
  readonly inspector: Inspector
  /** Damages, looks, and puts everything back. */
  readonly damaged: <Value>(
    damage: (hammer: Hammer) => Promise<void>,
    look: () => Promise<Value>,
  ) => Promise<Value>
  /** Grows with every change that was written. */
  readonly changes: () => Promise<string>
  readonly close: () => Promise<void>
}

const options = { random: randomText, timers: realTimers }

export const sqliteGround = async (): Promise<Ground> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-verify-'))
  const file = join(folder, 'pawl.db')
  const reopen = () => openSqlite({ ...options, file, reserveBytes: 0, integrity: 'quick' })
  const handles = async () => {
    const { store, reader, keeper, office, limits, outbox } = await reopen()
    return { store, reader, keeper, office, limits, outbox, close: store.close }
  }
  const names = await fill(`sqlite:${file}`, handles)
  const { inspector, connection: db, store } = await reopen()
  const json: Hammer['json'] = async (table, column, where, change) => {
    const rows = db.prepare(`select rowid as place, * from ${table} where ${where}`).all()
    if (rows.length === 0) throw new Error(`no row of ${table} where ${where}`)
    for (const row of rows) {
      const event = row as unknown as EventRecord
      const text =
        table === 'events'
          ? sealEvent(event, JSON.stringify(change(eventData(event))))
          : seal(change(unseal(String(row[column]), column)))
      db.prepare(`update ${table} set ${column} = ? where rowid = ?`).run(text, row['place']!)
    }
  }
  return {
    inspector,
    names,
    damaged: async (damage, look) => {
      db.exec('begin immediate')
      try {
        await damage({ sql: async (text) => db.exec(text), json })
        db.exec('pragma query_only = on')
        return await look()
      } finally {
        db.exec('pragma query_only = off; rollback')
      }
    },
    changes: async () => String(db.prepare('select total_changes() as n').get()!['n']),
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const TABLES = [
  ...['executions', 'actions', 'actions_done', 'attempts', 'events', 'inbox', 'timers', 'dedup', 'pauses'],
  ...['counters', 'checkpoints', 'lanes', 'workers', 'occurrences', 'audit'],
  ...['limit_places', 'tasks', 'bulk_operations', 'bulk_items', 'alerts', 'outbox', 'limits'],
]

export const postgresGround = async (): Promise<Ground> => {
  const url = await createDatabase(await useServer())
  const handles = async () => {
    const { store, reader: feed, keeper, office, limits, outbox } = await openPostgres({ ...options, url })
    return { store, reader: feed, keeper, office, limits, outbox, close: store.close }
  }
  const names = await fill(url, handles)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const kept = TABLES.map((table) => `create table kept.${table} as table pawl.${table}`)
  await client.query(['create schema kept', ...kept, 'set search_path to pawl'].join(';'))
  const restoring = async (table: string): Promise<string> => {
    const { columns } = (await client.query(givenColumns(table))).rows[0]
    return `delete from pawl.${table};
      insert into pawl.${table} (${columns}) overriding system value select ${columns} from kept.${table}`
  }
  const restores: string[] = []
  for (const table of TABLES) restores.push(await restoring(table))
  const restore = restores.join(';')
  const reader = await openAsReader(url, client)
  const { inspector } = reader
  return {
    inspector,
    names,
    damaged: async (damage, look) => {
      await client.query('set search_path to pawl')
      try {
        await damage({
          sql: async (text) => void (await client.query(text)),
          json: async (table, column, where, change) => {
            const { rows } = await client.query(`select ctid::text as place, * from ${table} where ${where}`)
            if (rows.length === 0) throw new Error(`no row of ${table} where ${where}`)
            for (const row of rows)
              await client.query(`update ${table} set ${column} = $1 where ctid = $2::tid`, [
                JSON.stringify(change(row[column])),
                row.place,
              ])
          },
        })
        return await look()
      } finally {
        await client.query(`begin; ${restore}; commit`)
      }
    },
    changes: async () => {
      // What this connection wrote itself is counted up to a second later, unless it is told to count now.
      await client.query('select pg_stat_force_next_flush()')
      return (await client.query(CHANGES)).rows[0].n
    },
    close: async () => {
      await reader.close()
      await client.end()
      await releaseServer()
    },
  }
}

const CHANGES = `select sum(n_tup_ins + n_tup_upd + n_tup_del)::text as n from pg_stat_user_tables`

/** Whatever verify does, the server lets this role write nothing. A role is the whole server's: each ground has its own. */
const roleOf = (name: string): string => `create role ${name} login password 'look' bypassrls;
  grant usage on schema pawl to ${name}; grant select on all tables in schema pawl to ${name};
  grant execute on all functions in schema pawl to ${name}`

const openAsReader = async (url: string, client: pg.Client) => {
  const role = `pawl_looker_${crypto.randomUUID().slice(0, 8)}`
  await client.query(roleOf(role))
  const as = new URL(url)
  as.username = role
  as.password = 'look'
  const pool = new pg.Pool({ connectionString: as.href, max: 2, pipeline: true } as pg.PoolConfig)
  const connections = createConnections({ pool, timers: realTimers, begin: 'begin' })
  const patience = { timers: realTimers, jitter: () => 0.5, awayMs: 1000 }
  return {
    inspector: createInspector(connections, patience),
    close: async () => {
      await connections.close()
      await client.query(`drop owned by ${role}; drop role ${role}`)
    },
  }
}
