// How a SQLite store keeps what began as it was written: in bundles, while a scribe writes. What an action means is the conformance
// suite's; here is seen that nothing of a bundle is lost, and nothing of another one touched.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainHead } from '../../src/core/history.ts'
import { type OpenSqlite, openSqlite } from '../../src/store/sqlite/open.ts'
import type { Asked, Said } from '../../src/store/sqlite/scribe.ts'
import type { NewAction, Result } from '../../src/store/store.ts'
import { action, advance, LEASE_MS, NOW, OF, settled } from '../../src/testing/store-conformance/members.ts'
import { inlineScribe } from '../sqlite/inline-scribe.ts'
import { memoryFolder } from './memory-folder.ts'
import { randomText, realTimers } from './real-timers.ts'

interface Ground extends OpenSqlite {
  /** Each the only action of an execution of its own, begun in one commit. */
  readonly begin: (...ids: readonly string[]) => Promise<readonly Result[]>
  /** All of them succeed, in one commit. */
  readonly end: (...ids: readonly string[]) => Promise<readonly Result[]>
  /** How many rows each bundle was written so often with, without looking at them through the store. */
  readonly bundles: () => readonly { readonly revision: number; readonly rows: number }[]
  /** How many had succeeded when it began. */
  readonly before: number
  /** The next so many that are asked of the scribe are undone. */
  readonly undo: (times: number) => void
}

const born = (id: string): NewAction => ({
  ...action(id),
  claim: { worker: 'w1', nonce: `nonce of ${id}`, leaseMs: LEASE_MS },
})

/** How many run, and how many have succeeded since. */
const standing = async ({ reader, before }: Ground) => {
  const { actions } = await reader.counts(OF)
  return [actions.running, actions.succeeded - before]
}

const statuses = (results: readonly Result[]): readonly string[] => results.map(({ status }) => status)

type Case = (ground: Ground) => Promise<void>

const CASES: Readonly<Record<string, Case>> = {
  'what one commit begins is one bundle, which goes with the last of it': async (ground) => {
    await ground.begin('a', 'b')
    await ground.begin('c')
    assert.deepEqual(
      ground.bundles().map(({ rows }) => rows),
      [2, 1],
    )
    assert.deepEqual(statuses(await ground.end('a', 'b')), ['ok', 'ok'])
    assert.deepEqual(ground.bundles(), [{ revision: 1, rows: 1 }])
    assert.deepEqual(await standing(ground), [1, 2])
  },
  'what is left of a bundle is written in its place, beside others': async (ground) => {
    await ground.begin('a', 'b', 'c')
    await ground.begin('d', 'e')
    await ground.end('b')
    assert.deepEqual(ground.bundles(), [
      { revision: 2, rows: 2 },
      { revision: 1, rows: 2 },
    ])
    await ground.end('e', 'a', 'c')
    assert.deepEqual(ground.bundles(), [{ revision: 2, rows: 1 }])
    assert.deepEqual(await standing(ground), [1, 4])
    assert.deepEqual(statuses(await ground.end('d')), ['ok'])
  },
  'a bundle that ends in many parts gets rows of its own': async (ground) => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    await ground.begin(...ids)
    for (const id of ids.slice(0, 4)) await ground.end(id)
    assert.deepEqual(ground.bundles(), [])
    for (const id of ids.slice(4)) assert.deepEqual(statuses(await ground.end(id)), ['ok'])
    assert.deepEqual(await standing(ground), [0, 7])
  },
  'a bundle of which a part was not written is not taken for ended': async (ground) => {
    await ground.begin('a', 'b')
    ground.undo(1)
    const both = await Promise.all([ground.end('a'), ground.end('b')])
    assert.deepEqual(both.map(statuses), [['ok'], ['ok']])
    assert.deepEqual(await standing(ground), [0, 2])
  },
  'nor is one of which two parts were not, and the rest was': async (ground) => {
    await ground.begin('a', 'b', 'c')
    ground.undo(1)
    const all = await Promise.all([ground.end('a'), ground.end('b'), ground.end('c')])
    assert.deepEqual(all.map(statuses), [['ok'], ['ok'], ['ok']])
    assert.deepEqual(await standing(ground), [0, 3])
  },
  'an id that is there already holds up nobody else': async (ground) => {
    await ground.begin('a', 'b')
    assert.deepEqual(await standing(ground), [2, 0])
    const again = {
      ...OF,
      at: NOW,
      lease: NOW,
      advance: advance('exe again', { actions: [born('a'), born('c')] }),
    }
    await ground.store.commit([again])
    assert.deepEqual(await standing(ground), [3, 0])
    assert.deepEqual(statuses(await ground.end('a', 'b')), ['ok', 'ok'])
  },
  'what was dictated for another epoch is written by who knows of it': async (ground) => {
    ground.connection.exec(`update store_meta set value = '2' where key = 'epoch'`)
    assert.deepEqual(statuses(await ground.begin('a')), ['ok'])
    assert.deepEqual(ground.bundles(), [])
    assert.deepEqual(await standing(ground), [1, 0])
  },
  'a store that is full takes nothing new from a scribe either': async (ground) => {
    ground.connection.exec(`insert or replace into store_meta (key, value) values ('full', '1')`)
    assert.deepEqual(statuses(await ground.begin('a')), ['refused'])
  },
}

export const BUNDLES = Object.keys(CASES)

interface Row {
  readonly revision: number
  readonly content: string
}

const groundOf = (opened: OpenSqlite, undo: Ground['undo']): Omit<Ground, 'before'> => {
  const chains = new Map<string, ChainHead>()
  const commit = async (
    ids: readonly string[],
    member: (id: string) => Parameters<OpenSqlite['store']['commit']>[0][number],
  ) => {
    const results = await opened.store.commit(ids.map(member))
    results.forEach(({ chain }, index) => {
      if (chain !== undefined) chains.set(ids[index]!, chain)
    })
    return results
  }
  const common = { ...OF, at: NOW, lease: NOW }
  return {
    ...opened,
    undo,
    begin: (...ids) =>
      commit(ids, (id) => ({ ...common, advance: advance(`exe ${id}`, { actions: [born(id)] }) })),
    end: (...ids) =>
      commit(ids, (id) => ({
        ...common,
        settle: [settled({ id, token: 1, nonce: `nonce of ${id}` })],
        advance: advance(`exe ${id}`, { expected: 1, was: 'active', chain: chains.get(id)! }),
      })),
    bundles: () =>
      (
        opened.connection
          .prepare('select revision, content from begun order by number')
          .all() as unknown as Row[]
      ).map(({ revision, content }) => ({ revision, rows: JSON.parse(content.slice(8)).length })),
  }
}

const MOST_TRIES = 50

/** Until the scribe is there, and knows the store: what is asked before is written without it. */
const awaken = async ({ begin, end, bundles }: Omit<Ground, 'before'>): Promise<void> => {
  for (let n = 0; n < MOST_TRIES; n++) {
    await begin(`before ${n}`)
    const isThere = bundles().length > 0
    await end(`before ${n}`)
    if (isThere) return
  }
  assert.fail('the scribe never came')
}

export const playBundle = async (name: string): Promise<void> => {
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-'))
  let left = 0
  const undoing = (_: Asked): Said | undefined => (left-- > 0 ? { undone: 'for once' } : undefined)
  const options = { random: randomText, timers: realTimers, reserveBytes: 0, integrity: 'quick' as const }
  const { scribing } = inlineScribe(undoing)
  const opened = await openSqlite({ file: join(folder, 'pawl.db'), scribing, ...options })
  try {
    const ground = groundOf(opened, (times) => {
      left = times
    })
    await awaken(ground)
    const { actions } = await ground.reader.counts(OF)
    await CASES[name]!({ ...ground, before: actions.succeeded })
  } finally {
    await opened.store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
