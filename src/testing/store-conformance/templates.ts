// Mail templates kept in the store: as they were put, by name, for their tenant alone.

import type { StoredTemplate } from '../../store/templates.ts'
import type { Case } from './case.ts'
import { isTrue, rejects, same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const template = (name: string, over: Partial<StoredTemplate> = {}): StoredTemplate => ({
  name,
  updatedAt: NOW,
  subject: "o'brien {{ a }}",
  html: '<p>"漢字"</p>',
  ...over,
})

export const templateCases: readonly Case[] = [
  {
    name: 'templates: one comes back as it was put, in every process; put again, the newer stands',
    run: async ({ templates, another }) => {
      await templates.put(OF, template('b/welcome'))
      await templates.put(OF, template('a', { text: 'plain' }))
      const { templates: other } = await another()
      same(await other.get(OF, 'b/welcome'), template('b/welcome'), 'the first')
      await other.put(OF, { name: 'b/welcome', updatedAt: NOW + 1, text: 'new' })
      same(
        await templates.get(OF, 'b/welcome'),
        { name: 'b/welcome', updatedAt: NOW + 1, text: 'new' },
        'newer',
      )
      same(
        await templates.list(OF),
        [
          { name: 'a', updatedAt: NOW },
          { name: 'b/welcome', updatedAt: NOW + 1 },
        ],
        'the list, by name',
      )
      await rejects('commit_refused', () => templates.put(OF, template('')), 'one without a name')
    },
  },
  {
    name: 'templates: each tenant’s own, and gone when they are removed',
    run: async ({ templates }) => {
      await templates.put(OF, template('a'))
      for (const other of [OTHER, ELSEWHERE]) {
        same([(await templates.get(other, 'a')) ?? null, await templates.list(other)], [null, []], 'not seen')
        isTrue(!(await templates.remove(other, 'a')), 'not removed')
        await templates.put(other, template('a', { subject: 'theirs' }))
      }
      same(await templates.get(OF, 'a'), template('a'), 'untouched')
      isTrue(await templates.remove(OF, 'a'), 'removed')
      isTrue(!(await templates.remove(OF, 'a')), 'once')
      same(
        [(await templates.get(OF, 'a')) ?? null, (await templates.get(OTHER, 'a'))?.subject],
        [null, 'theirs'],
        'ours',
      )
    },
  },
]
