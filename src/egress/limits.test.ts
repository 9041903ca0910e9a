import { describe, expect, it } from 'vitest'
import { limitsWith } from './limits.ts'

describe('S19: limits', () => {
  it('have defaults, and take what is given', () => {
    expect(limitsWith({})).toEqual({
      bytes: 1_048_576,
      headerBytes: 16_384,
      headers: 256,
      redirects: 0,
      connectMs: 10_000,
      timeoutMs: 30_000,
    })
    const own = limitsWith({ bytes: 5, redirects: 20 })
    expect(own).toEqual({ ...limitsWith({}), bytes: 5, redirects: 20 })
    expect(limitsWith({ timeoutMs: 1, bytes: undefined }, own)).toEqual({ ...own, timeoutMs: 1 })
  })

  it.each([
    [{ bytes: -1 }, 'bytes'],
    [{ bytes: 1.5 }, 'bytes'],
    [{ headerBytes: 1023 }, 'headerBytes'],
    [{ headers: 0 }, 'headers'],
    [{ redirects: 21 }, 'redirects'],
    [{ connectMs: 0 }, 'connectMs'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
    [{ timeoutMs: '5' as unknown as number }, 'timeoutMs'],
  ])('refuse %j', (given, path) => {
    expect(() => limitsWith(given)).toThrow(
      expect.objectContaining({ code: 'invalid_option', details: expect.objectContaining({ path }) }),
    )
  })
})
