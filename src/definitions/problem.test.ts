import { describe, expect, it } from 'vitest'
import { PawlError } from '../core/errors.ts'
import { firstOf, oneOf, problem, quote, refusal, thrown, unknownName } from './problem.ts'

describe('the words of a problem', () => {
  it('shows a path that is too long to read by its ends', () => {
    const { path } = problem(Array(64).fill('x'), 'deep')
    expect(path).toHaveLength(101)
    expect(path).toMatch(/^x\.x\.x.*….*x\.x$/)
  })

  it.each([
    ['plain', '“plain”'],
    ['two\nlines', '“two�lines”'],
    [`half ${'\ud83d'}`, '“half �”'],
    ['x'.repeat(81), `“${'x'.repeat(80)}…”`],
  ])('quotes %j', (text, quoted) => expect(quote(text)).toBe(quoted))

  it('lets no text of a stranger break the line or turn it', () => {
    const found = problem(['a\nb'], 'x\u001b[31m', { expected: 'y\u202e', suggestion: 'z\u2028' })
    expect(found).toMatchObject({ path: 'a�b', message: 'x�[31m', expected: 'y�', suggestion: 'z�' })
  })

  it('lists names, but not hundreds of them', () => {
    expect(oneOf(['a'])).toBe('a')
    expect(oneOf(['a', 'b'])).toBe('one of a, b')
    expect(oneOf(Array(21).fill('a'))).toMatch(/^one of (a, ){19}a … \(21 in all\)$/)
  })

  it('leaves a long list out when the nearest name is known', () => {
    const names = Array.from({ length: 13 }, (_, index) => `state_${index}`)
    expect(unknownName([], 'no', 'stat_7', names)).toMatchObject({ suggestion: 'state_7' })
    expect(unknownName([], 'no', 'stat_7', names)).not.toHaveProperty('expected')
    expect(unknownName([], 'no', 'zzz', names)).toHaveProperty('expected')
    expect(unknownName([], 'no', 'zzz', [])).not.toHaveProperty('expected')
  })
})

describe('what core refuses', () => {
  const failure = new PawlError('invalid_policy', 'retryPolicy.jitter cannot be “2”', {
    path: 'retryPolicy.jitter',
    expected: 'a fraction',
  })

  it('is a problem at the place core names, without repeating its path', () => {
    expect(thrown(['actions', 0, 'retryPolicy'], failure)).toMatchObject({
      code: 'invalid_policy',
      path: 'actions.0.retryPolicy.jitter',
      message: 'jitter cannot be “2”',
      expected: 'a fraction',
    })
  })

  it('is not swallowed when it is a defect', () => {
    const defect = new TypeError('undefined is not a function')
    expect(() =>
      refusal([], () => {
        throw defect
      }),
    ).toThrow(defect)
  })
})

describe('the first problems', () => {
  it('stops looking after a hundred errors, and warnings do not take their place', () => {
    let asked = 0
    const endless = function* () {
      for (;;) yield problem([], 'x', { severity: asked++ % 3 === 0 ? 'error' : 'warning' })
    }
    const found = firstOf(endless())
    expect(found.filter(({ severity }) => severity === 'error')).toHaveLength(100)
    expect(found.filter(({ severity }) => severity === 'warning')).toHaveLength(100)
    expect(asked).toBe(298)
  })
})
