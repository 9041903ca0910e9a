import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { machine, Pawl, permanent, retryable, runner } from '../../src/index.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { type Report, verify } from '../../src/verify/verify.ts'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'

const act = runner({
  type: 'act',
  config: z.object({ n: z.number() }),
  execute: ({ config: { n }, ctx }) => {
    if (n % 5 === 0 && ctx.attempt === 1) throw retryable('rate_limit', 'throttled', { after: '5ms' })
    if (n % 7 === 0) throw permanent('malformed_request', 'no')
    return { n }
  },
})

const loop = machine({
  id: 'loop',
  variables: z.object({ n: z.number() }),
  events: { go: z.object({}) },
  uses: [act],
  initial: 'on',
  states: {
    on: {
      enter: ({ variables: { n } }) => [act({ n }), act({ n: n + 1 })],
      on: { 'action.succeeded': 'more', 'action.failed': 'more' },
      after: { '1h': 'off' },
    },
    more: {
      enter: ({ variables: { n } }) => act({ n: n + 2 }, { cancelOnExit: true }),
      on: { go: 'on', 'action.succeeded': { internal: true, set: () => ({}) } },
      after: { '20ms': 'rest' },
    },
    rest: { on: { go: 'on' } },
    off: { final: true },
  },
})

const COUNT = 60

/** People and workers at once, until told to stop. */
const load = async (pawl: Pawl, isOver: () => boolean): Promise<void> => {
  for (let round = 0; !isOver(); round++) {
    const id = `x${round % COUNT}`
    if (round < COUNT) await pawl.start(loop, { id, variables: { n: round } })
    else await pawl.send(id, 'go', {}, { id: `evt_${round}` })
    if (round % 11 === 0) await pawl.executions.pause(id).catch(() => undefined)
    if (round % 13 === 0) await pawl.executions.resume(`x${(round - 2) % COUNT}`).catch(() => undefined)
    if (round % 17 === 0)
      await pawl.dispatch(act({ n: round }), { dedup: { key: `k${round % 3}`, while: 'active' } })
    if (round % 29 === 0) await pawl.executions.cancel(id).catch(() => undefined)
    const [dead] = round % 19 === 0 ? (await pawl.actions.list({ status: 'dead' }, { limit: 1 })).data : []
    if (dead) await pawl.actions[round % 2 === 0 ? 'retry' : 'archive'](dead.id).catch(() => undefined)
  }
}

/** Looks, and how much there must be to look at before the last of them. */
const LOOKS = 15
const EVENTS = 400
const MOST = 2000
const STORES = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-verify-'))
    const file = join(folder, 'pawl.db')
    return {
      url: `sqlite:${file}`,
      open: () =>
        openSqlite({ file, random: randomText, timers: realTimers, reserveBytes: 0, integrity: 'quick' }),
      drop: () => rmSync(folder, { recursive: true, force: true }),
    }
  },
  PostgreSQL: async () => {
    const url = await createDatabase(await useServer())
    return {
      url,
      open: () => openPostgres({ url, random: randomText, timers: realTimers }),
      drop: () => undefined,
    }
  },
}

afterAll(releaseServer)

describe.each(Object.keys(STORES) as (keyof typeof STORES)[])(
  'verify while an engine works on %s',
  (store) => {
    it('gives no false alarm, look after look, and none when all is quiet', async () => {
      const { url, open, drop } = await STORES[store]()
      const pawl = await Pawl.open({
        store: url,
        definitions: [loop],
        runners: [act],
        secrets: { env: {} },
        log: () => undefined,
      })
      await pawl.work({ slots: 8 })
      const opened = await open()
      let isOver = false
      const loading = load(pawl, () => isOver)
      const reports: Report[] = []
      const look = async () =>
        void reports.push(await verify({ inspector: opened.inspector, limits: { slice: 50 } }))
      try {
        while (
          reports.length < LOOKS ||
          ((reports.at(-1)?.checked.events ?? 0) < EVENTS && reports.length < MOST)
        )
          await Promise.race([loading, look()])
      } finally {
        isOver = true
        await loading
        await pawl.close()
      }
      reports.push(await verify({ inspector: opened.inspector }))
      await opened.store.close()
      drop()
      expect(reports.flatMap(({ findings }) => findings)).toEqual([])
      expect(reports.flatMap(({ unchecked }) => unchecked)).toEqual([])
      const counts = reports.map(({ checked }) => checked.events)
      expect(counts.at(-1)).toBeGreaterThanOrEqual(EVENTS)
    })
  },
)
