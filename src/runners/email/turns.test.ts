import { describe, expect, it } from 'vitest'
import { createPool } from './smtp-pool.ts'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('are so many at a time, first come first served', async () => {
    const turns = createTurns(2)
    const got: number[] = []
    const ends: (() => void)[] = []
    const take = async (who: number): Promise<void> => {
      ends.push(await turns.take(never))
      got.push(who)
    }
    const all = [1, 2, 3, 4].map(take)
    await Promise.all(all.slice(0, 2))
    expect(got).toEqual([1, 2])
    for (const at of [2, 3]) {
      ends.shift()!()
      await all[at]
    }
    expect(got).toEqual([1, 2, 3, 4])
    expect(turns.isIdle()).toBe(false)
    for (const end of ends) end()
    expect(turns.isIdle()).toBe(true)
  })

  it('of one who stopped waiting go to the next', async () => {
    const turns = createTurns(1)
    const end = await turns.take(never)
    const [early, late] = [new AbortController(), new AbortController()]
    const [first, second] = [turns.take(early.signal), turns.take(late.signal)]
    const third = turns.take(never)
    early.abort('no patience')
    await expect(first).rejects.toBe('no patience')
    // Its turn comes and its patience ends in one moment.
    late.abort('too late')
    end()
    await expect(second).rejects.toBe('too late')
    ;(await third)()
    expect(turns.isIdle()).toBe(true)
    await expect(turns.take(never)).resolves.toBeTypeOf('function')
  })
})

describe('a pool', () => {
  const connection = () => {
    const state = { isEnded: false, onGone: () => {} }
    return {
      state,
      rest: (_: number, onGone: () => void) => {
        state.onGone = onGone
      },
      end: () => {
        state.isEnded = true
      },
    }
  }
  type Connection = ReturnType<typeof connection>
  const lease = (key: string, opened: Connection[], isAlive = true) => ({
    key,
    signal: never,
    open: async () => {
      opened.push(connection())
      return opened.at(-1)!
    },
    isAlive: async () => isAlive,
  })

  it('keeps no more than it may, ends what it cannot keep, and forgets what is gone', async () => {
    const pool = createPool<Connection>({ open: 5, idle: 1, idleMs: 1 })
    const opened: Connection[] = []
    await pool.use(lease('a', opened), async () => 1)
    await pool.use(lease('b', opened), async () => 2)
    expect(opened.map(({ state }) => state.isEnded)).toEqual([false, true])
    opened[0]!.state.onGone()
    opened[0]!.state.onGone()
    await pool.use(lease('b', opened), async () => 3)
    expect(opened.map(({ state }) => state.isEnded)).toEqual([false, true, false])
    await pool.use(lease('b', opened), async () => 4)
    expect(opened).toHaveLength(3)
    await pool.use(lease('b', opened, false), async () => 5)
    expect(opened.map(({ state }) => state.isEnded)).toEqual([false, true, true, false])
  })

  it('keeps no connection over which a mail failed', async () => {
    const pool = createPool<Connection>({ open: 1, idle: 1, idleMs: 1 })
    const opened: Connection[] = []
    await expect(pool.use(lease('a', opened), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await pool.use(lease('a', opened), async () => 1)
    expect(opened).toHaveLength(2)
  })
})
