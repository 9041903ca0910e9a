// What the HTTP door asks of a store: keys by their hash, an audit that is one chain per tenant, and answers kept for
// requests that are repeated.

import { firstBroken } from '../../core/history.ts'
import { auditStart } from '../../store/audit.ts'
import type { KeptAnswer, KeyedRequest } from '../../store/idempotency.ts'
import type { KeyRow } from '../../store/keys.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const key = (id: string, over: Partial<KeyRow> = {}): KeyRow => ({
  ...OF,
  id,
  name: `key ${id}`,
  prefix: 'pawl_live_ab',
  hash: `hash of ${id}`,
  scopes: ['read', 'operate'],
  isOperator: false,
  createdAt: NOW,
  ...over,
})

const HOUR = 3_600_000
const ANSWER: KeptAnswer = { status: 201, headers: { location: '/v1/actions/a' }, body: '{"id":"ünï “漢”"}' }
const asked = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
  key: 'k-1',
  requestHash: 'h1',
  holder: 'w1',
  ...over,
})

const keyCases: readonly Case[] = [
  {
    name: 'keys: a key is found by its hash whoever’s it is, and listed for its tenant alone',
    run: async ({ office: { keys }, another }) => {
      same(await keys.any(), false, 'a new store has none')
      const rows = [key('b', { expiresAt: NOW + 1, isOperator: true }), key('a', { scopes: ['admin'] })]
      for (const row of rows) await keys.put(row)
      await keys.put(key('c', OTHER))
      const { office } = await another()
      same(await office.keys.find('hash of b'), rows[0], 'by hash')
      same(await office.keys.get(OF, 'a'), rows[1], 'by id')
      same(await keys.list(OF), [rows[1], rows[0]], 'the list, by id')
      same((await keys.get(OTHER, 'a')) ?? null, null, 'of another tenant')
      same((await keys.find('hash of nobody')) ?? null, null, 'one that is not there')
      same([await keys.any(), (await keys.list(ELSEWHERE)).length], [true, 0], 'elsewhere')
    },
  },
  {
    name: 'K1, keys: a revoked key stays, is revoked once, and only by its tenant',
    run: async ({ office: { keys } }) => {
      await keys.put(key('a'))
      same(await keys.revoke(OTHER, 'a', NOW), false, 'by another tenant')
      same(await keys.revoke(OF, 'a', NOW + 5), true, 'by its own')
      same(await keys.revoke(OF, 'a', NOW + 9), false, 'again')
      same(await keys.find('hash of a'), key('a', { revokedAt: NOW + 5 }), 'what is left of it')
      same(await keys.any(), true, 'there was one')
    },
  },
  {
    name: 'keys: of rivals that make the first key one succeeds, and no later one is the first',
    run: async ({ office: { keys }, another }) => {
      const { office: other } = await another()
      const tries = ['a', 'b', 'c', 'd'].map((id, index) =>
        (index % 2 ? other.keys : keys).putFirst(key(id, { isOperator: true })),
      )
      const made = (await Promise.all(tries)).filter(Boolean)
      same([made.length, (await keys.list(OF)).length], [1, 1], 'first keys')
      same(await keys.putFirst(key('e')), false, 'a later one')
    },
  },
  {
    name: 'keys: two of one id or one token are refused',
    run: async ({ office: { keys } }) => {
      await keys.put(key('a'))
      for (const row of [key('a', { hash: 'another' }), key('b', { hash: 'hash of a' }), key('')])
        await rejects('commit_refused', () => keys.put(row), row.id)
      same(await keys.list(OF), [key('a')], 'what stands')
    },
  },
]

const auditCases: readonly Case[] = [
  {
    name: 'audit: entries are chained in the order they were added, newest shown first, page by page',
    run: async ({ office: { audit }, another }) => {
      const { office: other } = await another()
      for (const n of [1, 2, 3, 4, 5])
        await (n % 2 ? audit : other.audit).append(OF, {
          type: `thing.changed`,
          at: NOW + n,
          data: { n, text: 'ünï “漢”', before: null, z: 1, a: 2 },
        })
      await audit.append(OTHER, { type: 'thing.changed', at: NOW, data: {} })
      const first = await audit.list(OF, { limit: 3 })
      const rest = await audit.list(OF, { limit: 3, after: first.next! })
      const all = [...first.data, ...rest.data]
      same(
        all.map(({ number }) => number),
        [5, 4, 3, 2, 1],
        'newest first',
      )
      same(rest.next ?? null, null, 'the last page')
      same(firstBroken(auditStart(OF), all.toReversed()) ?? null, null, 'the chain')
      same(
        (await audit.list(OTHER, { limit: 10 })).data.map(({ number }) => number),
        [1],
        'the other chain',
      )
      await rejects('invalid_cursor', () => audit.list(OTHER, { limit: 3, after: first.next! }), 'a cursor')
    },
  },
  {
    name: 'audit: rivals make one chain without a gap',
    run: async ({ office: { audit }, another }) => {
      const { office: other } = await another()
      const entries = Array.from({ length: 24 }, (_, n) =>
        (n % 2 ? audit : other.audit).append(OF, { type: 't', at: NOW, data: { n } }),
      )
      await Promise.all(entries)
      const { data } = await audit.list(OF, { limit: 250 })
      same(data.length, 24, 'entries')
      same(firstBroken(auditStart(OF), data.toReversed()) ?? null, null, 'the chain')
    },
  },
]

const idempotencyCases: readonly Case[] = [
  {
    name: 'idempotency: a key is taken once, then busy, then keeps its answer for the same request alone',
    run: async ({ office: { idempotency }, another }) => {
      const { office: other } = await another()
      const until = NOW + HOUR
      same(await idempotency.take(OF, asked(), NOW, until), { kind: 'taken' }, 'first')
      same(
        await other.idempotency.take(OF, asked({ holder: 'w2' }), NOW, until),
        { kind: 'busy' },
        'under way',
      )
      same(await idempotency.take(OF, asked({ requestHash: 'h2' }), NOW, until), { kind: 'other' }, 'another')
      await idempotency.keep(OF, asked(), ANSWER, until)
      const again = await other.idempotency.take(OF, asked({ holder: 'w2' }), NOW + 1, until)
      same(again, { kind: 'kept', answer: ANSWER }, 'repeated')
      same(
        await idempotency.take(OF, asked({ requestHash: 'h2' }), NOW, until),
        { kind: 'other' },
        'then too',
      )
      for (const whose of [OTHER, ELSEWHERE])
        same(
          await idempotency.take(whose, asked({ requestHash: 'h2' }), NOW, until),
          { kind: 'taken' },
          'of others',
        )
    },
  },
  {
    name: 'idempotency: what is let go or past its time is taken anew; whoever lost it changes nothing',
    run: async ({ office: { idempotency } }) => {
      await idempotency.take(OF, asked(), NOW, NOW + 10)
      await idempotency.release(OF, asked({ holder: 'w2' }))
      same(
        await idempotency.take(OF, asked({ holder: 'w2' }), NOW + 9, NOW + 20),
        { kind: 'busy' },
        'still held',
      )
      await idempotency.release(OF, asked())
      same(
        await idempotency.take(OF, asked({ holder: 'w2' }), NOW + 9, NOW + 20),
        { kind: 'taken' },
        'let go',
      )
      const later = asked({ holder: 'w3', requestHash: 'h3' })
      same(await idempotency.take(OF, later, NOW + 20, NOW + 40), { kind: 'taken' }, 'past its time')
      await idempotency.keep(OF, asked({ holder: 'w2' }), ANSWER, NOW + HOUR)
      same(await idempotency.take(OF, later, NOW + 21, NOW + 40), { kind: 'busy' }, 'not kept by who lost it')
      await idempotency.keep(OF, later, ANSWER, NOW + HOUR)
      await idempotency.release(OF, later)
      same((await idempotency.take(OF, later, NOW + 22, NOW + 40)).kind, 'kept', 'an answer is not let go')
    },
  },
  {
    name: 'idempotency: of rivals one takes the key',
    run: async ({ office: { idempotency }, another }) => {
      const { office: other } = await another()
      const tries = Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? idempotency : other.idempotency).take(OF, asked({ holder: `w${n}` }), NOW, NOW + HOUR),
      )
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind).sort()
      same(kinds, [...Array<string>(7).fill('busy'), 'taken'], 'who has it')
    },
  },
]

export const officeCases: readonly Case[] = [...keyCases, ...auditCases, ...idempotencyCases]
