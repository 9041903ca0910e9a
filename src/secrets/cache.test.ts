import { describe, expect, it } from 'vitest'
import { ACME, GLOBEX } from '../../test/secrets/bed.ts'
import { createCache, MAX_AGE_MS, MAX_CACHED } from './cache.ts'
import type { Secret } from './secret.ts'

const setup = () => {
  const state = { now: 1_000_000, asked: 0, value: 'one' as string | Error | undefined }
  const resolve = async (_: unknown, name: string): Promise<Secret | undefined> => {
    state.asked++
    const { value } = state
    if (value instanceof Error) throw value
    return value === undefined ? undefined : { name, value, from: 'store', version: '1' }
  }
  const cache = createCache({ resolve }, () => state.now)
  const value = async (of = ACME, name = 'a') => (await cache.resolve(of, name))?.value
  return { state, cache, value }
}

describe('S46: a value is remembered for five seconds at most', () => {
  it('and then asked for again', async () => {
    const { state, value } = setup()
    expect(await value()).toBe('one')
    state.value = 'two'
    state.now += MAX_AGE_MS - 1
    expect(await value()).toBe('one')
    state.now += 1
    expect(await value()).toBe('two')
    expect([MAX_AGE_MS, state.asked]).toEqual([5000, 2])
  })

  it('C1: counted from the question, not from the answer', async () => {
    const { state, value } = setup()
    const first = value()
    state.now += MAX_AGE_MS
    await first
    await value()
    expect(state.asked).toBe(2)
  })

  it('a clock that was set back does not keep it longer', async () => {
    const { state, value } = setup()
    await value()
    state.now -= 3_600_000
    await value()
    expect(state.asked).toBe(2)
  })

  it('forgotten at once when told', async () => {
    const { state, cache, value } = setup()
    await value()
    state.value = 'two'
    cache.forget(GLOBEX, 'a')
    cache.forget(ACME, 'b')
    expect(await value()).toBe('one')
    cache.forget(ACME, 'a')
    expect(await value()).toBe('two')
  })

  it('a question that was under way when it was forgotten leaves nothing behind', async () => {
    const { state, cache, value } = setup()
    const early = value()
    cache.forget(ACME, 'a')
    state.value = 'two'
    const late = value()
    expect(await Promise.all([early, late])).toEqual(['one', 'two'])
    expect(await value()).toBe('two')
    expect(state.asked).toBe(2)
  })
})

describe('what is not remembered', () => {
  it('an absence, or a failure', async () => {
    const { state, value } = setup()
    for (const nothing of [undefined, new Error('down')]) {
      state.value = nothing
      await value().catch(() => {})
      state.value = 'one'
      expect(await value(ACME, `name${state.asked}`)).toBe('one')
    }
    state.value = undefined
    expect(await value(GLOBEX)).toBeUndefined()
    state.value = 'set'
    expect(await value(GLOBEX)).toBe('set')
  })

  it('a failure that comes late does not remove what came after it', async () => {
    const { state, cache, value } = setup()
    state.value = new Error('down')
    const early = value().catch(() => 'failed')
    cache.forget(ACME, 'a')
    state.value = 'one'
    expect(await Promise.all([early, value()])).toEqual(['failed', 'one'])
    await value()
    expect(state.asked).toBe(2)
  })
})

describe('many', () => {
  it('of one question at a time, one is asked', async () => {
    const { state, value } = setup()
    await Promise.all(Array.from({ length: 100 }, () => value()))
    expect(state.asked).toBe(1)
  })

  it('tenants and names are kept apart', async () => {
    const { state, value } = setup()
    await value(ACME)
    await value(GLOBEX)
    await value({ namespace: 'shop","acme', tenant: '' })
    await value(ACME, 'b')
    expect(state.asked).toBe(4)
  })

  it('the one asked for longest ago goes first', async () => {
    const { state, value } = setup()
    for (let at = 0; at <= MAX_CACHED; at++) await value(ACME, `n${at}`)
    const before = state.asked
    await value(ACME, 'n1')
    expect(state.asked).toBe(before)
    await value(ACME, 'n0')
    expect(state.asked).toBe(before + 1)
  })
})
