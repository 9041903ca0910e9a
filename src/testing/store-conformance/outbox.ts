// What the sandbox would have sent: one entry per id, newest first, for its tenant alone.

import type { OutboxRow } from '../../store/outbox.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const entry = (id: string, over: Partial<OutboxRow> = {}): OutboxRow => ({
  id,
  at: NOW,
  type: 'email',
  action: `act_${id}`,
  key: `key_${id}`,
  content: { to: ["o'brien@example.com"], subject: '漢字', html: '<b>"x"</b>' },
  ...over,
})

export const outboxCases: readonly Case[] = [
  {
    name: 'outbox: an entry comes back as it was put, in every process; of one id the newer stands',
    run: async ({ outbox, another }) => {
      await outbox.put(OF, entry('o1'))
      const { action: _, ...rest } = entry('o2', { type: 'webhook', content: {} })
      await outbox.put(OF, rest)
      const { outbox: other } = await another()
      same(await other.get(OF, 'o1'), entry('o1'), 'the first')
      same(await other.get(OF, 'o2'), rest, 'one of no action')
      await other.put(OF, entry('o1', { at: NOW + 1, content: { again: true } }))
      same(await outbox.get(OF, 'o1'), entry('o1', { at: NOW + 1, content: { again: true } }), 'the newer')
      same((await outbox.get(OF, 'nobody')) ?? null, null, 'one that is not there')
    },
  },
  {
    name: 'outbox: lists are newest first, narrowed by type and action, page by page, and each tenant’s own',
    run: async ({ outbox }) => {
      await outbox.put(OF, entry('o1'))
      await outbox.put(OF, entry('o2', { type: 'webhook', at: NOW + 1 }))
      await outbox.put(OF, entry('o3', { at: NOW + 1 }))
      for (const whose of [OTHER, ELSEWHERE])
        await outbox.put(whose, entry('o1', { content: { theirs: true } }))
      const ids = async (query: object) =>
        (await outbox.list(OF, query, { limit: 9 })).data.map(({ id }) => id)
      same(await ids({}), ['o3', 'o2', 'o1'], 'all')
      same(await ids({ type: 'email' }), ['o3', 'o1'], 'by type')
      same(await ids({ action: 'act_o2' }), ['o2'], 'by action')
      same(await ids({ type: 'email', action: 'act_o2' }), [], 'by both')
      const first = await outbox.list(OF, { type: 'email' }, { limit: 1 })
      const after = first.next!
      const second = await outbox.list(OF, { type: 'email' }, { limit: 1, after })
      same(second, { data: [entry('o1')] }, 'the second page')
      await rejects('invalid_cursor', () => outbox.list(OF, {}, { limit: 1, after }), 'another filter')
      same((await outbox.get(OTHER, 'o1'))?.content, { theirs: true }, 'theirs')
    },
  },
  {
    name: 'outbox: retention takes what is old',
    run: async ({ outbox, keeper }) => {
      await outbox.put(OF, entry('o1', { at: NOW - 10 }))
      await outbox.put(OF, entry('o2'))
      const before = { doneBefore: NOW - 5, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
      while (await keeper.prune(before, 10));
      same((await outbox.list(OF, {}, { limit: 9 })).data, [entry('o2')], 'what stays')
    },
  },
]
