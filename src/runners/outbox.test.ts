import { describe, expect, it } from 'vitest'
import { createOutbox, type OutboxEntry } from './outbox.ts'

const entry = (key: string, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  at: 0,
  namespace: 'default',
  tenant: 'a',
  type: 'email',
  key,
  content: {},
  ...change,
})

const A = { namespace: 'default', tenant: 'a' }
const B = { namespace: 'default', tenant: 'b' }

const filled = async (limit: number | undefined, entries: readonly OutboxEntry[]) => {
  const outbox = createOutbox(limit)
  for (const each of entries) await outbox.put(each)
  return async (of: typeof A, type?: string) => (await outbox.list(of, type)).map(({ key }) => key)
}

describe('X-22: what would have been sent', () => {
  it('is listed for its tenant alone, oldest first, of one type or of all', async () => {
    const keys = await filled(undefined, [
      entry('1'),
      entry('2', { type: 'webhook' }),
      entry('3', B),
      entry('4', { namespace: 'other' }),
      entry('5', { namespace: 'default","a' }),
    ])
    expect(await keys(A)).toEqual(['1', '2'])
    expect(await keys(A, 'webhook')).toEqual(['2'])
    expect(await keys(A, 'sms')).toEqual([])
    expect(await keys(B)).toEqual(['3'])
    expect(await keys({ namespace: 'default', tenant: 'nobody' })).toEqual([])
  })

  it('O1: beyond the limit the tenant with most gives up its oldest, and others nothing', async () => {
    const many = Array.from({ length: 100 }, (_, index) => entry(`${index}`))
    const keys = await filled(5, [entry('b', B), ...many])
    expect(await keys(B)).toEqual(['b'])
    expect(await keys(A)).toEqual(['96', '97', '98', '99'])
  })

  it('O1: the same for characters', async () => {
    const large = { content: { text: 'x'.repeat(4 * 1024 * 1024) } }
    const keys = await filled(1000, [
      ...['1', '2', '3', '4'].map((key) => entry(key, B)),
      ...['1', '2', '3', '4', '5'].map((key) => entry(key, large)),
    ])
    expect(await keys(A)).toEqual(['3', '4', '5'])
    expect(await keys(B)).toHaveLength(4)
  })

  it('what is larger than all the room is not kept, and leaves the rest', async () => {
    const keys = await filled(1000, [
      entry('small', B),
      entry('huge', { content: { text: 'x'.repeat(17 * 1024 * 1024) } }),
    ])
    expect(await keys(A)).toEqual([])
    expect(await keys(B)).toEqual(['small'])
  })
})
