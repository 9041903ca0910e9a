// A share of the attack on bulk operations; PAWL_BULK_LETTERS=10000 makes it the whole.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { replayUnderFire } from './attack.ts'

const LETTERS = Number(process.env['PAWL_BULK_LETTERS'] ?? 60)

afterAll(releaseServer)

const urlOf = async (store: string): Promise<string> => {
  if (store === 'PostgreSQL') return createDatabase(await useServer())
  const folder = mkdtempSync(join(tmpdir(), 'pawl-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'pawl.db')}`
}

it.each(['SQLite', 'PostgreSQL'])(
  'F41: dead letters are replayed once each although all processes are killed in the middle, on %s',
  async (store) => {
    const shown = await replayUnderFire(store, await urlOf(store), LETTERS)
    console.log(JSON.stringify(shown))
    expect(shown).toMatchObject({
      sent: LETTERS,
      succeeded: LETTERS,
      lost: 0,
      doubled: 0,
      stuck: 0,
      kills: 6,
    })
  },
)
