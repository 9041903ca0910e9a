import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeadline, MAX_TIMEOUT_MS, untilAborted } from './deadline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const late = (): Error => new Error('late')

describe('a deadline', () => {
  it('aborts when the time is over, not before', () => {
    const { signal } = createDeadline(100, [], late)
    vi.advanceTimersByTime(99)
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(signal.reason).toEqual(late())
  })

  it('follows any signal from outside, with its reason, also one that was aborted before', () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const { signal } = createDeadline(100, [undefined, one.signal, other.signal], late)
    other.abort('stop')
    one.abort('again')
    expect(signal.reason).toBe('stop')
    expect(createDeadline(100, [AbortSignal.abort('before')], late).signal.reason).toBe('before')
  })

  it('leaves neither a timer nor a listener behind', () => {
    const outside = new AbortController()
    const removed = vi.spyOn(outside.signal, 'removeEventListener')
    const deadline = createDeadline(100, [outside.signal], late)
    deadline.end()
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalledOnce()
    outside.abort('stop')
    expect(deadline.signal.aborted).toBe(false)
  })

  it('B22: a time that no timer can hold does not end at once', () => {
    const { signal } = createDeadline(Number.MAX_SAFE_INTEGER, [], late)
    vi.advanceTimersByTime(MAX_TIMEOUT_MS - 1)
    expect(signal.aborted).toBe(false)
  })
})

describe('until aborted', () => {
  it('gives what the promise gives', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(untilAborted(Promise.reject('no'), signal)).rejects.toBe('no')
  })

  it('or the reason, whatever the promise does later', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(new Promise(() => {}), controller.signal)
    controller.abort('stop')
    await expect(waiting).rejects.toBe('stop')
    await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toBe('stop')
    await expect(untilAborted(Promise.reject('later'), controller.signal)).rejects.toBe('stop')
  })
})
