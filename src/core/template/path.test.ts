import { describe, expect, it } from 'vitest'
import { lookup, unknownVariable } from './path.ts'

class Account {
  readonly name = 'ada'
  get secret(): string {
    return 'inherited'
  }
}

describe('reading by path', () => {
  const data = {
    list: [1, { deep: 'x' }],
    empty: null,
    none: undefined,
    zero: 0,
    'a b': 'spaced',
    account: new Account(),
    call: () => 'never',
    bare: Object.assign(Object.create(null), { x: 1 }),
  }

  it.each([
    [[], data],
    [['list', '1', 'deep'], 'x'],
    [['list', 'length'], 2],
    [['empty'], null],
    [['zero'], 0],
    [['a b'], 'spaced'],
    [['account', 'name'], 'ada'],
    [['bare', 'x'], 1],
  ])('%j exists', (segments, value) => {
    expect(lookup(data, segments)).toBe(value)
  })

  it.each([
    [['nothing']],
    [['none']],
    [['none', 'x']],
    [['empty', 'x']],
    [['zero', 'toFixed']],
    [['a b', 'length']],
    [['list', '2']],
    [['list', '-1']],
    [['list', '01']],
    [['list', 'map']],
    [['account', 'secret']],
    [['call']],
    [['call', 'name']],
    [['constructor']],
    [['constructor', 'constructor']],
    [['__proto__']],
    [['list', '__proto__', 'map']],
    [['bare', 'toString']],
  ])('S24: %j does not', (segments) => {
    expect(lookup(data, segments)).toBeUndefined()
  })
})

const report = (segments: readonly string[], data: unknown): unknown => {
  const { code, message, details } = unknownVariable(
    { source: `{{${segments.join('.')}}}`, place: 'a.b', segments },
    data,
  )
  return { code, message, ...details }
}

describe('an unknown variable', () => {
  const data = { execution: { variables: { tenantName: 'Ada', address: null, note: 'x' } }, 'a b': {} }

  it.each([
    [['exection', 'id'], 'there is no "exection"', 'execution'],
    [
      ['execution', 'variables', 'tenantname'],
      'there is no "tenantname" in execution.variables',
      'execution.variables.tenantName',
    ],
    [['execution', 'variable', 'x'], 'there is no "variable" in execution', 'execution.variables'],
    [['ab', 'c'], 'there is no "ab"', '["a b"]'],
  ])('%j: the first that is missing, and the nearest', (segments, what, suggestion) => {
    expect(report(segments, data)).toEqual({
      code: 'unknown_variable',
      message: `"{{${segments.join('.')}}}": ${what}`,
      path: 'a.b',
      suggestion,
    })
  })

  it.each([
    [['execution', 'variables', 'zzzzzz'], 'there is no "zzzzzz" in execution.variables'],
    [['execution', 'variables', 'address', 'city'], 'there is no "city" in execution.variables.address'],
    [['execution', 'variables', 'note', 'lengt'], 'there is no "lengt" in execution.variables.note'],
    [['a b', 'c'], 'there is no "c" in ["a b"]'],
    [['x'.repeat(90)], `there is no "${'x'.repeat(80)}…"`],
  ])('%j: nothing is near', (segments, what) => {
    expect(report(segments, data)).toEqual({
      code: 'unknown_variable',
      message: expect.stringContaining(`": ${what}`),
      path: 'a.b',
    })
  })

  it('suggests a hidden alias', () => {
    const event = Object.defineProperty({}, 'data', { value: 1 })
    expect(report(['event', 'dato'], { event })).toMatchObject({ suggestion: 'event.data' })
  })

  it('S34: never shows a value', () => {
    const hostile = { execution: { variables: { token: 'sk_live_canary' } } }
    for (const segments of [
      ['execution', 'variables', 'token', 'x'],
      ['execution', 'variables', 'tokn'],
    ])
      expect(JSON.stringify(report(segments, hostile))).not.toContain('canary')
  })

  it('looks at the first hundred names only', () => {
    const names = Array.from({ length: 99 }, (_, index) => [`${index}`.padStart(9, '#'), 1])
    const at = (index: number): object =>
      Object.fromEntries([...names.slice(0, index), ['needle', 1], ...names])
    expect(report(['needl'], at(99))).toMatchObject({ suggestion: 'needle' })
    const hundred = [...names, ['#########x', 1]]
    expect(report(['needl'], Object.fromEntries([...hundred, ['needle', 1]]))).not.toHaveProperty(
      'suggestion',
    )
  })
})
