import { describe, expect, it, vi } from 'vitest'
import { MEMO_LIMIT, memoise } from './memo.ts'

describe('a memo', () => {
  it('computes each key once', () => {
    const compute = vi.fn((key: string) => ({ key }))
    const memo = memoise(compute)
    expect(memo('a')).toBe(memo('a'))
    expect(memo('b')).toEqual({ key: 'b' })
    expect(compute).toHaveBeenCalledTimes(2)
  })

  it('keeps the limit of keys and then forgets the one kept longest', () => {
    expect(MEMO_LIMIT).toBe(500)
    const compute = vi.fn((key: number) => ({ key }))
    const memo = memoise(compute)
    for (let key = 0; key < 500; key++) memo(key)
    memo(0)
    expect(compute).toHaveBeenCalledTimes(500)
    memo(500)
    memo(1)
    memo(499)
    expect(compute).toHaveBeenCalledTimes(501)
    memo(0)
    expect(compute).toHaveBeenCalledTimes(502)
  })
})
