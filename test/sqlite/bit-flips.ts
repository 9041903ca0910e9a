// A store with a row of every kind, everything that can be read of it, and the same file with one bit changed. The answer
// must be the one that was written, or a refusal; never another one.

import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { spread } from '../../src/core/hash.ts'
import { beginning } from '../../src/store/agenda.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { type OpenSqlite, openSqlite } from '../../src/store/sqlite/open.ts'
import { type Bed, claimAll, counter, stepTimers } from './bed.ts'
import { action, advance, execution, NOW, OF, settled } from './members.ts'

const timer = {
  key: 't',
  dueAt: NOW,
  event: { id: 't@', type: 'timer.fired', payload: { n: 1 }, at: NOW, timer: 't' },
}
const ERROR = { type: 'timeout', message: 'too slow', retryable: true }
const EXECUTIONS = ['a', 'b', 'c', 'd', 'e', 'f']

const SECRET = {
  name: 'crm_token',
  version: 3,
  keyId: 'k1',
  nonce: 'bm9uY2Ugb2YgMTI=',
  ciphertext: 'Y2lwaGVydGV4dA==',
  hosts: ['api.example'],
  createdAt: NOW,
  updatedAt: NOW,
  fingerprint: '0a1b2c3d',
}
const WORKER = {
  id: 'w1',
  startedAt: NOW,
  slots: 64,
  types: ['mail'],
  definitions: ['lease@41'],
  version: '0.1.0',
  host: 'host.example',
}

const KEY: KeyRow = {
  ...OF,
  id: 'key_1',
  name: 'ci',
  prefix: 'pawl_live_0a1b2c',
  hash: 'ab12',
  scopes: ['read', 'work'],
  isOperator: true,
  createdAt: NOW,
  expiresAt: NOW + 9,
}
const REQUEST = { key: 'k-1', requestHash: 'h1', holder: 'w1' }

/** So many that what is counted of them is a tally. */
const TENANTS = Array.from({ length: 10 }, (_, n) => `tenant ${n}`)

/** Some rows in every table, in every status. */
export const fill = async (bed: Bed): Promise<void> => {
  await bed.store.commit(
    TENANTS.map((tenant) => ({
      ...OF,
      tenant,
      at: NOW,
      enqueue: [action(`act of ${tenant}`, { dueAt: NOW + 99 })],
    })),
  )
  const content = { states: { active: {}, ended: { final: true } } }
  await bed.commit({
    control: [{ kind: 'define', definition: { kind: 'machine', id: 'lease', hash: 'h1', content } }],
  })
  for (const id of EXECUTIONS) {
    const history = [1, 2].map((n) => ({
      type: 'execution.transitioned',
      at: NOW + n,
      data: { to: `state ${n}` },
    }))
    const actions = [1, 2, 3].map((n) =>
      action(`act_${id}${n}`, { dedup: { key: `${id}${n}` }, tags: ['x'] }),
    )
    const outside = { event: { id: 'e0', type: 'x', payload: {}, at: NOW }, from: 'outside' as const }
    const begun = execution(id, { variables: { landlord: `of ${id}`, rent: 1200 } })
    await bed.commit({
      advance: advance(id, {
        execution: begun,
        history,
        actions,
        timers: [timer],
        consume: [outside],
        inputHash: id,
      }),
      deliver: [{ execution: id, event: { id: 'e1', type: 'x', payload: { id }, at: NOW } }],
      record: [{ type: 'noted', at: NOW, data: { id } }],
    })
  }
  const claims = await claimAll(bed)
  const ends = [
    {},
    { result: { id: 'msg_1' } },
    { status: 'dead', outcome: 'failed', error: ERROR },
    { status: 'review', outcome: 'timed_out', error: ERROR },
    { status: 'queued', outcome: 'failed', dueAt: NOW + 99, error: ERROR },
  ] as const
  for (const [index, claim] of claims.slice(0, 10).entries())
    await bed.commit({ settle: [settled(claim, ends[index % ends.length], { fingerprint: 'slow' })] })
  await bed.commit({ control: [{ kind: 'pause', scope: 'execution', value: 'f', reason: 'quiet' }] })
  await bed.keeper.take('prune', 'w1', 86_400_000)
  await bed.keeper.checkpoint(NOW)
  await bed.keeper.setVirtualNow(NOW)
  await bed.vault.put(OF, SECRET)
  await bed.workers.beat(WORKER)
  await bed.office.keys.put(KEY)
  for (const n of [1, 2]) await bed.office.audit.append(OF, { type: 'key.created', at: NOW + n, data: { n } })
  await bed.office.idempotency.take(OF, REQUEST, NOW, NOW + 9)
  await bed.office.idempotency.keep(OF, REQUEST, { status: 201, headers: {}, body: '{"id":"a"}' }, NOW + 9)
}

/** Everything the ports can tell. */
const readAll = async ({ store, reader, keeper, vault, workers, office }: OpenSqlite): Promise<string> => {
  const ids = EXECUTIONS.flatMap((id) => [1, 2, 3].map((n) => `act_${id}${n}`))
  const feed = await reader.feed(OF, undefined, 100)
  const told = [
    store.id,
    await Promise.all(ids.map((id) => reader.action(OF, id))),
    await Promise.all(ids.map((id) => reader.attempts(OF, id))),
    await Promise.all(EXECUTIONS.map((id) => reader.history(OF, id, { limit: 9 }))),
    await store.load(EXECUTIONS.map((id) => ({ ...OF, id }))),
    await reader.actions(OF, {}, { limit: 100 }),
    await reader.actions(OF, { status: 'dead' }, { limit: 100 }),
    await reader.executions(OF, {}, { limit: 100 }),
    await reader.executions(OF, { definition: 'lease' }, { limit: 100 }),
    feed.map(({ cursor: _, ...row }) => row),
    await reader.deadGroups(OF, 9),
    await reader.counts(OF),
    await reader.counts({ ...OF, tenant: TENANTS[3]! }),
    await reader.definitions(OF),
    await reader.pauses(OF),
    await store.heads({ now: NOW }),
    await store.reap(99, { lease: NOW + 30_000 }),
    await store.dueTimers(99, { now: NOW }),
    await store.inbox(['lease'], 99),
    await keeper.take('prune', 'w2', 1),
    await keeper.virtualNow(),
    await vault.get(OF, SECRET.name),
    await vault.list(OF),
    await office.keys.list(OF),
    await office.keys.find(KEY.hash),
    await office.audit.list(OF, { limit: 9 }),
    await office.idempotency.take(OF, REQUEST, NOW, NOW + 9),
    (await office.agenda.between(OF, beginning(0), NOW + 99, 250)).data,
    (await workers.list(86_400_000)).map(({ seenAt: _, ...row }) => row),
  ]
  return JSON.stringify(told)
}

/** A row that is told to be unreadable is refused, like one that throws. */
const UNREADABLE = /"unreadable":/

const REFUSALS = ['store_corrupt', 'store_foreign', 'store_schema', 'store_unavailable']

/** What came of opening and reading a file: the text of all answers, or `refused`. */
export const readFile = async (file: string): Promise<string> => {
  const warnings: string[] = []
  let opened: OpenSqlite | undefined
  try {
    const timers = stepTimers()
    const onWarning = (message: string): number => warnings.push(message)
    opened = await openSqlite({ file, random: counter(), timers, reserveBytes: 0, onWarning })
    const answer = await readAll(opened)
    return warnings.length > 0 || UNREADABLE.test(answer) ? 'refused' : answer
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (REFUSALS.includes(code ?? '')) return 'refused'
    throw error
  } finally {
    await opened?.store.close().catch(() => undefined)
  }
}

export interface Flip {
  readonly byte: number
  readonly bit: number
}

/** Two of three fall on a byte that is not zero: most of a small file is empty pages, where a flip has no effect. */
export const flipOf = (n: number, bytes: Uint8Array): Flip => {
  const drawn = Math.floor(spread(`flip ${n}`) * bytes.length)
  const used = bytes.subarray(drawn).findIndex((byte) => byte !== 0)
  return { byte: n % 3 === 0 || used === -1 ? drawn : drawn + used, bit: n % 8 }
}

/** The file beside the sound one, with one bit changed. */
export const flipped = (sound: string, { byte, bit }: Flip): string => {
  const file = `${sound}-flipped`
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  copyFileSync(sound, file)
  const bytes = readFileSync(file)
  bytes[byte]! ^= 1 << bit
  writeFileSync(file, bytes)
  return file
}
