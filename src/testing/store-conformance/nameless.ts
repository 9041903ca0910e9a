// B17: an empty name once matched a month of rows. Whatever reaches the store without one is refused by its schema.

import type { Member } from '../../store/store.ts'
import type { Case } from './case.ts'
import { isTrue, same } from './check.ts'
import { action, advance, NOW, OF } from './members.ts'

const NAMELESS: Readonly<Record<string, Partial<Member>>> = {
  'an action': { enqueue: [action('')] },
  'the type of an action': { enqueue: [action('a', { type: '' })] },
  'the namespace of an action': { namespace: '', enqueue: [action('a')] },
  'the tenant of an action': { tenant: '', enqueue: [action('a')] },
  'an execution': { advance: advance('') },
  'the namespace of an execution': { namespace: '', advance: advance('x', {}, { ...OF, namespace: '' }) },
  'the tenant of an execution': { tenant: '', advance: advance('x', {}, { ...OF, tenant: '' }) },
  'a definition': {
    control: [{ kind: 'define', definition: { kind: 'machine', id: '', hash: 'h1', content: {} } }],
  },
}

export const namelessCases: readonly Case[] = Object.entries(NAMELESS).map(([what, member]) => ({
  name: `B17: ${what} without a name is refused, and its neighbours are not`,
  run: async ({ store, reader }) => {
    const others: Member = { ...OF, at: NOW, enqueue: [action('named')] }
    const results = await store
      .commit([{ ...OF, at: NOW, ...member }])
      .catch((error: unknown) => [{ status: 'refused' as const, error }])
    same(
      results.map(({ status }) => status),
      ['refused'],
      what,
    )
    same((await store.commit([others]))[0]?.status, 'ok', 'whoever has a name')
    isTrue((await reader.action(OF, 'named')) !== undefined, 'the action that has a name')
  },
}))
