import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPELLINGS } from '../../test/secrets/spellings.ts'
import type { Json } from '../core/json.ts'
import { createRedactor } from './redactor.ts'

const CANARY = 'cAnArY-7f3/9+&"b'
const knowing = (...secrets: readonly (readonly [string, string])[]) => {
  const redactor = createRedactor()
  for (const [name, value] of secrets) redactor.learn({ name, value })
  return redactor
}

describe('S34, S43: what is written down holds no secret', () => {
  it.each(Object.keys(SPELLINGS))('%s', (spelling) => {
    const redactor = knowing(['crm_token', CANARY])
    const text = SPELLINGS[spelling]!(CANARY, 'user:', '@host')
    const cleaned = redactor.clean(text)
    expect(cleaned).toContain('‹secret:crm_token›')
    expect(cleaned.length).toBeLessThan(text.length + 20)
    // At the edges of base64 a character may hold some bits of it; no six in a row are left.
    const left = cleaned.split('‹secret:crm_token›').join('\0')
    for (let at = 0; at + 6 <= CANARY.length; at++) expect(left).not.toContain(CANARY.slice(at, at + 6))
    expect(redactor.clean(cleaned)).toBe(cleaned)
  })

  it('what stands around it stays', () => {
    const redactor = knowing(['a', 'hunter22'], ['b', 'swordfish'])
    expect(redactor.clean('GET /?k=hunter22&p=sword%66ish 401')).toBe('GET /?k=‹secret:a›&p=‹secret:b› 401')
    expect(redactor.clean('hunter22')).toBe('‹secret:a›')
    expect(redactor.clean('Basic dXNlcjpodW50ZXIyMg==')).toMatch(/^Basic dXNlcj.{0,2}‹secret:a›.{0,4}$/)
  })

  it('any JSON: keys, members, items, numbers', () => {
    const redactor = knowing(['pin', '123456'], ['key', 'hunter22'])
    const dirty: Json = {
      hunter22: ['x', { 'a hunter22': 'hunter22!' }],
      number: 91234567,
      small: 12345,
      other: [null, true, 1.5, 'fine'],
    }
    expect(redactor.clean(dirty)).toEqual({
      '‹secret:key›': ['x', { 'a ‹secret:key›': '‹secret:key›!' }],
      number: '9‹secret:pin›7',
      small: 12345,
      other: [null, true, 1.5, 'fine'],
    })
  })

  it('what holds none is given back as it is', () => {
    const redactor = knowing(['key', 'hunter22'])
    const clean: Json = { a: [1, 'two', { three: null }], __proto: { x: -0 } }
    expect(redactor.clean(clean)).toBe(clean)
    const own = JSON.parse('{"__proto__": "x hunter22"}') as Json
    expect(JSON.stringify(redactor.clean(own))).toBe('{"__proto__":"x ‹secret:key›"}')
    const nothing = createRedactor()
    expect(nothing.clean('hunter22')).toBe('hunter22')
  })

  it('is total over JSON, and leaves no value in it', () => {
    const text = fc
      .tuple(fc.string(), fc.boolean(), fc.string())
      .map(([before, planted, after]) => (planted ? before + CANARY + after : before))
    const dirty = fc.object({ key: text, values: [text, fc.integer(), fc.boolean(), fc.constant(null)] })
    const redactor = knowing(['k', CANARY])
    fc.assert(
      fc.property(dirty, (value) => {
        const cleaned = JSON.stringify(redactor.clean(value as Json))
        expect(cleaned).not.toContain('cAnArY')
        expect(cleaned.includes('‹secret:k›')).toBe(JSON.stringify(value).includes('cAnArY'))
      }),
    )
  })

  it('what nests too deep is not let through', () => {
    let deep: Json = 'hunter22'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(JSON.stringify(knowing(['k', 'hunter22']).clean(deep))).toContain('‹too deep to be read›')
  })
})

describe('names', () => {
  it('one value with two names shows neither', () => {
    const redactor = knowing(['mine', 'hunter22'], ['theirs', 'hunter22'])
    expect(redactor.clean('hunter22')).toBe('‹secret›')
    redactor.learn({ name: 'mine', value: 'hunter22' })
    expect(redactor.clean('hunter22')).toBe('‹secret›')
  })

  it('short values are left', () => {
    expect(knowing(['k', 'admin']).clean('admin')).toBe('admin')
  })
})

describe('memory', () => {
  it('R1: the one used longest ago is forgotten, one in use never', () => {
    const redactor = createRedactor({ values: 2, characters: 1000 })
    const release = redactor.learn({ name: 'a', value: 'aaaaaa' })
    for (const value of ['bbbbbb', 'cccccc', 'dddddd']) redactor.learn({ name: value[0]!, value })()
    expect(redactor.clean('aaaaaa bbbbbb cccccc dddddd')).toBe('‹secret:a› bbbbbb cccccc ‹secret:d›')
    release()
    release()
    redactor.learn({ name: 'e', value: 'eeeeee' })()
    expect(redactor.clean('aaaaaa dddddd eeeeee')).toBe('aaaaaa ‹secret:d› ‹secret:e›')
  })

  it('using a value again keeps it', () => {
    const redactor = createRedactor({ values: 2, characters: 1000 })
    for (const value of ['aaaaaa', 'bbbbbb', 'aaaaaa', 'cccccc']) redactor.learn({ name: 'n', value })()
    expect(redactor.clean('aaaaaa bbbbbb cccccc')).toBe('‹secret:n› bbbbbb ‹secret:n›')
  })

  it('held twice, it takes two releases; more than the limit may be held', () => {
    const redactor = createRedactor({ values: 0, characters: 0 })
    const [one, two] = [1, 2].map(() => redactor.learn({ name: 'a', value: 'aaaaaa' }))
    const other = redactor.learn({ name: 'b', value: 'bbbbbb' })
    one!()
    one!()
    expect(redactor.clean('aaaaaabbbbbb')).toBe('‹secret:a›')
    two!()
    expect(redactor.clean('aaaaaa bbbbbb')).toBe('aaaaaa ‹secret:b›')
    other()
    expect(redactor.clean('bbbbbb')).toBe('bbbbbb')
  })

  it('long values count by their characters', () => {
    const redactor = createRedactor({ values: 100, characters: 100 })
    for (const char of 'abc') redactor.learn({ name: char, value: char.repeat(50) })()
    const [a, b, c] = [...'abc'].map((char) => redactor.clean(char.repeat(50)))
    expect([a, b, c]).toEqual(['a'.repeat(50), '‹secret:b›', '‹secret:c›'])
  })

  it('ten thousand rotations leave what the limit says', () => {
    const redactor = createRedactor()
    for (let at = 0; at < 10_000; at++) redactor.learn({ name: 'k', value: `value-number-${at}` })()
    const cleaned = Array.from({ length: 10_000 }, (_, at) => redactor.clean(`value-number-${at}`))
    expect(cleaned.slice(9_000).every((text) => text === '‹secret:k›')).toBe(true)
    expect(redactor.clean('value-number-8500')).toBe('value-number-8500')
  })
})
