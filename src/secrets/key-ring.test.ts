import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEY_A, KEY_B } from '../../test/secrets/bed.ts'
import { type KeyTexts, parseKeyRing } from './key-ring.ts'

const bytes = (text: string): string => Buffer.from(text).toString('base64')

describe('a ring of keys', () => {
  it('is absent when nothing is set', () => {
    expect(parseKeyRing({})).toBeUndefined()
    expect(parseKeyRing({ key: '', keys: ' ' })).toBeUndefined()
  })

  it('one key has an id of its own, the same in every spelling', () => {
    const ring = parseKeyRing({ key: KEY_A })!
    expect(ring.current).toMatch(/^k[0-9a-f]{12}$/)
    expect([...ring.keys.keys()]).toEqual([ring.current])
    const hex = Buffer.from(KEY_A, 'base64').toString('hex')
    const url = Buffer.from(KEY_A, 'base64').toString('base64url')
    for (const key of [hex, hex.toUpperCase(), url, ` ${KEY_A}\n`])
      expect(parseKeyRing({ key })?.current).toBe(ring.current)
    expect(parseKeyRing({ key: KEY_B })?.current).not.toBe(ring.current)
  })

  it('of several the first is current, unless one is given apart', () => {
    const keys = `2026-11:${KEY_A}, 2025:${KEY_B}`
    expect(parseKeyRing({ keys })).toMatchObject({ current: '2026-11' })
    expect([...parseKeyRing({ keys })!.keys.keys()]).toEqual(['2026-11', '2025'])
    const ring = parseKeyRing({ key: KEY_B, keys: `old:${KEY_A}` })!
    expect([...ring.keys.keys()]).toEqual([ring.current, 'old'])
  })

  it.each<[string, KeyTexts]>([
    ['16 bytes', { key: KEY_B.slice(0, 32) }],
    ['33 bytes', { key: `${KEY_B}00` }],
    ['no encoding', { key: 'correct horse battery staple, 32' }],
    ['zeros', { key: '0'.repeat(64) }],
    ['a pattern', { key: 'deadbeef'.repeat(8) }],
    ['half a key twice', { key: KEY_B.slice(0, 32).repeat(2) }],
    ['a count', { key: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex') }],
    [
      'a count down',
      { key: Buffer.from(Array.from({ length: 32 }, (_, at) => 250 - 7 * at)).toString('hex') },
    ],
    ['a sentence', { key: bytes('The quick brown fox jumps over 1') }],
    ['no id', { keys: KEY_A }],
    ['an odd id', { keys: `Bad Id:${KEY_A}` }],
    ['no key', { keys: 'a:' }],
    ['two colons', { keys: `a:${KEY_A}:x` }],
    ['a comma too many', { keys: `a:${KEY_A},` }],
    ['one id twice', { keys: `a:${KEY_A},a:${KEY_B}` }],
    ['a weak second', { keys: `a:${KEY_A},b:${'0'.repeat(64)}` }],
    ['seventeen', { keys: Array.from({ length: 17 }, (_, at) => `k${at}:${KEY_A}`).join() }],
  ])('%s is refused, and K1: not quoted', (_, given) => {
    const failure = (() => {
      try {
        return parseKeyRing(given)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(failure).toMatchObject({ code: 'secrets_key_invalid' })
    const told = inspect(failure, { depth: 9 })
    for (const text of [given.key, KEY_A, KEY_B]) if (text) expect(told).not.toContain(text)
  })

  it('K1: a printed ring shows none', () => {
    const told = inspect(parseKeyRing({ key: KEY_B, keys: `a:${KEY_A}` }), { depth: 9, showHidden: true })
    expect(told).not.toContain(KEY_A)
    expect(told).not.toContain(KEY_B.slice(0, 8))
  })

  it('random keys are taken', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((each) => new Set(each).size > 24)
    fc.assert(
      fc.property(key, (each) => {
        expect(parseKeyRing({ key: Buffer.from(each).toString('base64') })?.keys.size).toBe(1)
      }),
    )
  })
})
