import { describe, expect, it } from 'vitest'
import type { PawlError } from '../core/errors.ts'
import { parseFilter } from './filter.ts'

const FIELDS = { status: ['dead', 'queued'], type: 'text', name: 'text' } as const

describe('parseFilter', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['  ', {}],
    ['status:dead', { status: 'dead' }],
    [' status:dead   type:email ', { status: 'dead', type: 'email' }],
    ['name:"two words" type:a:b', { name: 'two words', type: 'a:b' }],
    ['type:ünï', { type: 'ünï' }],
  ])('%j', (text, expected) => {
    expect(parseFilter(text, FIELDS)).toEqual(expected)
  })

  it.each([
    ['stauts:dead', /no filter by “stauts”/, 'status'],
    ['status:dad', /“dad” is no status/, 'dead'],
    ['status:dead status:dead', /twice/, undefined],
    ['constructor:x', /no filter by “constructor”/, undefined],
    ['status', /no term/, undefined],
    ['status:', /no term/, undefined],
    ['type:"open', /no term/, undefined],
    ['type:"a"b', /no term/, undefined],
    [`type:${'x'.repeat(1000)}`, /too long/, undefined],
  ])('%s is refused', (text, message, suggestion) => {
    const refused = (() => {
      try {
        return void parseFilter(text, FIELDS)
      } catch (error) {
        return error as PawlError
      }
    })()
    expect(refused?.code).toBe('input_invalid')
    expect(refused?.message).toMatch(message)
    expect(refused?.details.suggestion).toBe(suggestion)
  })
})
