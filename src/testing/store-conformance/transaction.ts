// `in(client)`: the same commit inside the caller's own transaction. It is there when theirs is, and gone when theirs is.

import type { Member } from '../../store/store.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, advance, entry, event, NOW, OF, settled } from './members.ts'

const member = (over: Partial<Member>): Member => ({ ...OF, at: NOW, lease: NOW, ...over })

export const transactionCases: readonly Case[] = [
  {
    name: 'in: what was committed inside a transaction is there after it',
    run: async ({ transact, action: read, execution, store }) => {
      const results = await transact((commit) =>
        commit([
          member({ enqueue: [action('a')] }),
          member({
            advance: advance('e', { history: [entry('x')] }),
            deliver: [{ execution: 'e', event: event('v') }],
          }),
        ]),
      )
      same(
        results.map(({ status }) => status),
        ['ok', 'ok'],
        'results',
      )
      has(await read('a'), { status: 'queued' }, 'the action')
      has(await execution('e'), { revision: 1 }, 'the execution')
      same((await store.inbox(['lease'], 9)).length, 1, 'the event')
    },
  },
  {
    name: 'in: a rollback of the caller takes all of it back, and the store goes on',
    run: async (bed) => {
      const types = ['mail', 'sms']
      const roll = bed.transact(async (commit) => {
        await commit(types.map((type) => member({ enqueue: [action(type, { type })] })))
        throw new Error('changed my mind')
      })
      same(
        await roll.catch((error: Error) => error.message),
        'changed my mind',
        'the caller hears its own error',
      )
      same((await bed.reader.actions(OF, {}, { limit: 9 })).data, [], 'actions')
      await bed.enqueue(...types.map((type) => action(type, { type })))
      same((await bed.claim()).map(({ id }) => id).sort(), types, 'lanes made again')
    },
  },
  {
    name: 'in: losers are reported, the transaction goes on',
    run: async ({ transact, enqueue, action: read }) => {
      await enqueue('a')
      const results = await transact(async (commit) => {
        const first = await commit([
          member({ enqueue: [action('a')] }),
          member({ settle: [settled({ id: 'a', token: 1, nonce: 'x' })] }),
        ])
        const refused = await commit([
          member({ advance: advance('f', {}, { namespace: 'default', tenant: 'other' }) }),
        ])
        return [...first, ...refused, ...(await commit([member({ enqueue: [action('b')] })]))]
      })
      same(
        results.map(({ status }) => status),
        ['duplicate', 'fenced', 'refused', 'ok'],
        'results',
      )
      has(await read('b'), { status: 'queued' }, 'what came after')
    },
  },
  {
    name: 'in: a second commit of the same transaction sees the first',
    run: async ({ transact, execution }) => {
      const statuses = await transact(async (commit) => {
        const [begun] = await commit([member({ advance: advance('e') })])
        const [again] = await commit([member({ advance: advance('e') })])
        const [moved] = await commit([member({ advance: advance('e', { expected: 1 }) })])
        return [begun?.status, again?.status, moved?.status]
      })
      same(statuses, ['ok', 'duplicate', 'ok'], 'statuses')
      has(await execution('e'), { revision: 2 }, 'the execution')
    },
  },
]
