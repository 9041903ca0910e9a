import { expect, it } from 'vitest'
import type { Claim, Extended } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createLeases, type Lease } from './leases.ts'
import { createLog } from './log.ts'

const claim = (id: string, token = 1): Claim => ({ id, token, nonce: 'n' })

const bed = (extend: (claims: readonly Claim[]) => Extended = () => ({ lost: [], cancelled: [] })) => {
  const time = { now: 0 }
  const heard: string[] = []
  const asked: number[] = []
  const leases = createLeases(
    {
      extend: async (claims) => {
        asked.push(claims.length)
        return extend(claims)
      },
    },
    {
      leaseMs: 100,
      clock: { monotonic: () => time.now, clocks: () => ({}) } as Clock,
      log: createLog((_, message) => heard.push(message)),
    },
  )
  const hold = (of: Claim): Lease =>
    leases.hold({ claim: of, stop: (reason) => heard.push(`${of.id}/${of.token} ${reason}`) }, time.now)
  return { leases, time, heard, asked, hold }
}

it('nothing held, nothing asked', async () => {
  const { leases, asked } = bed()
  await leases.extend()
  expect(asked).toEqual([])
})

it('fresh while more than a quarter of it is left, and again when it was extended', async () => {
  const { leases, time, hold } = bed()
  const lease = hold(claim('a'))
  time.now = 74
  expect(leases.isFresh(lease)).toBe(true)
  time.now = 75
  expect(leases.isFresh(lease)).toBe(false)
  await leases.extend()
  expect(leases.isFresh(lease)).toBe(true)
  leases.release(lease)
  expect([leases.isFresh(lease), leases.held()]).toEqual([false, 0])
})

it('L1: lost is heard once, and its claim is held no longer', async () => {
  const { leases, heard, hold } = bed((claims) => ({ lost: claims, cancelled: [] }))
  hold(claim('a'))
  await leases.extend()
  await leases.extend()
  expect(heard).toEqual(['a/1 lost'])
})

it('L1: cancelled is heard once, and it is extended on', async () => {
  const { leases, heard, asked, hold } = bed((claims) => ({ lost: [], cancelled: claims }))
  hold(claim('a'))
  await leases.extend()
  await leases.extend()
  expect([heard, asked]).toEqual([['a/1 cancelled'], [1, 1]])
})

it('an old claim of an action is told apart from the new one', async () => {
  const { leases, heard, hold } = bed(() => ({ lost: [claim('a', 1)], cancelled: [claim('a', 2)] }))
  hold(claim('a', 1))
  hold(claim('a', 2))
  await leases.extend()
  expect(heard.toSorted()).toEqual(['a/1 lost', 'a/2 cancelled'])
  expect(leases.held()).toBe(1)
})

it('F49: past its time while the store is away it is lost, not before', async () => {
  const { leases, time, heard, hold } = bed(() => {
    throw new Error('away')
  })
  hold(claim('a'))
  time.now = 99
  await leases.extend()
  expect(heard).toEqual(['leases could not be extended'])
  time.now = 100
  await leases.extend()
  expect(heard.at(-1)).toBe('a/1 lost')
})

it('many are asked for in slices', async () => {
  const { leases, asked, hold } = bed()
  for (let n = 0; n < 1200; n++) hold(claim(`a${n}`))
  await leases.extend()
  expect(asked).toEqual([500, 500, 200])
})

it('one that was released while the answer was on its way hears nothing', async () => {
  const { leases, heard, hold } = bed((claims) => {
    leases.release(lease)
    return { lost: claims, cancelled: claims }
  })
  const lease = hold(claim('a'))
  await leases.extend()
  expect(heard).toEqual([])
})
