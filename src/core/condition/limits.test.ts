import { describe, expect, it } from 'vitest'
import { compileCondition } from '../condition.ts'
import type { Json } from '../json.ts'

const nested = (levels: number): Json => (levels === 0 ? true : { '!': nested(levels - 1) })
const lists = (levels: number): Json => (levels === 0 ? true : [lists(levels - 1)])

const refused = (rule: Json, message: string): void => {
  expect(() => compileCondition(rule)).toThrow(
    expect.objectContaining({
      code: 'invalid_condition',
      message,
      details: { path: '', expected: 'a smaller rule' },
    }),
  )
}

describe('S28: the size of a rule', () => {
  it('is at most 64 deep', () => {
    for (const rule of [nested(64), lists(64)]) expect(compileCondition(rule)).toBeDefined()
    for (const rule of [nested(65), lists(65), nested(5_000)])
      refused(rule, 'the condition nests deeper than 64 levels')
  })

  it('is at most 1,000 nodes', () => {
    const wide = (items: number): Json => ({ and: Array.from({ length: items }, () => true) })
    expect(compileCondition(wide(998))).toBeDefined()
    refused(wide(999), 'the condition has more than 1000 nodes')
  })

  it('is at most 64 Ki characters, keys and texts together', () => {
    const long = (length: number): Json => ({ cat: ['x'.repeat(length - 3)] })
    expect(compileCondition(long(65_536))).toBeDefined()
    refused(long(65_537), 'the condition has more than 65536 characters')
    refused({ ['k'.repeat(65_537)]: 1 }, 'the condition has more than 65536 characters')
    refused(JSON.stringify(long(65_530)), 'the condition has more than 65536 characters')
    refused('['.repeat(65_537), 'the condition has more than 65536 characters')
  })

  it('as text is read before it is refused', () => {
    refused(`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'the condition nests deeper than 64 levels')
  })
})
