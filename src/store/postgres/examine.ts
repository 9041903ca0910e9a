// Owns looking at a database before it is opened as a store: nothing is made, migrated or written.

import type { ClientConfig } from 'pg'
import { compareLedger, type Durability, type Examined } from '../examined.ts'
import { loadPg } from './driver.ts'
import { storeError } from './faults.ts'
import { migrations } from './generated/sql.ts'
import { createCaller } from './statements.ts'

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

const durability = (name: (typeof SETTINGS)[number], value: string): Durability => {
  // Pawl asks for it itself, transaction by transaction, where the server's default is off.
  const isSafe = value !== 'off' || name === 'synchronous_commit'
  return {
    name,
    value,
    isSafe,
    ...(!isSafe && { advice: `set ${name} = on in postgresql.conf and restart` }),
  }
}

interface State {
  readonly known: boolean
  readonly now: number
}

export const examinePostgres = async (url: string): Promise<Examined> => {
  const { Client } = await loadPg()
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'pawl',
  }
  const client = new Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { sql } = createCaller(client)
    const { known, now } = (await sql.storeState<State>()).rows[0]!
    const ledger = known
      ? (await sql.readMigrations<{ readonly number: number; readonly name: string }>()).rows
      : []
    const show = async (name: string): Promise<string> =>
      String(Object.values((await client.query(`show ${name}`)).rows[0])[0])
    const values = await SETTINGS.reduce<Promise<readonly Durability[]>>(
      async (before, name) => [...(await before), durability(name, await show(name))],
      Promise.resolve([]),
    )
    return {
      engine: `PostgreSQL ${await show('server_version')}`,
      isNew: !known,
      ...compareLedger(ledger, migrations),
      durability: values,
      now: Number(now),
    }
  } catch (error) {
    throw storeError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
