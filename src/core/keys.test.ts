import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idempotencyKey, stepKey } from './keys.ts'

const space = { storeId: 'str_1', namespace: 'default', tenant: 'ada' }

describe('stepKey', () => {
  it.each([
    [['l_882', 'notice_received', 'notify'], 1, 'l_882/notice_received/notify'],
    [['l_882', 'notice_received', 'notify'], 2, 'l_882/notice_received/notify~2'],
    [['jrn_ada', 'timelineRequest'], 1, 'jrn_ada/timelineRequest'],
    [['a/b', 'c~2', '100%'], 1, 'a%2Fb/c%7E2/100%25'],
  ])('%j on visit %i is %s', (parts, visit, key) => {
    expect(stepKey(parts, visit)).toBe(key)
  })

  it('I3: two causes never share a key', () => {
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', '/', '~', '%', '2', 'F') }), {
      minLength: 2,
      maxLength: 3,
    })
    const cause = fc.tuple(parts, fc.integer({ min: 1, max: 3 }))
    fc.assert(
      fc.property(cause, cause, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(stepKey(...one) === stepKey(...other)).toBe(same)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('idempotencyKey', () => {
  it('is stable: a changed value here would send every effect in flight a second time', () => {
    expect(idempotencyKey(space, 'l_882/notice_received/notify')).toBe('key_w3dxhskosgrbe2boiqmt5mocxr')
  })

  it('differs by store, namespace, tenant and step, and looks like an id', () => {
    const keys = [
      idempotencyKey(space, 'a'),
      idempotencyKey(space, 'b'),
      idempotencyKey({ ...space, storeId: 'str_2' }, 'a'),
      idempotencyKey({ ...space, namespace: 'n' }, 'a'),
      idempotencyKey({ ...space, tenant: 'grace' }, 'a'),
    ]
    expect(new Set(keys).size).toBe(5)
    for (const key of keys) expect(key).toMatch(/^key_[a-z2-7]{26}$/)
  })
})
