import { expect, it } from 'vitest'
import type { ClaimedAction, Member, Result } from '../store/store.ts'
import { realClock } from './clock.ts'
import { createLog } from './log.ts'
import { createSuspects } from './suspects.ts'

const claimed = (id: string, reaps: number): ClaimedAction =>
  ({ id, reaps, namespace: 'n', tenant: 't', token: 1, nonce: 'x', dueAt: 0 }) as ClaimedAction

const NOW = 1_000_000
const SLOTS = 8

const bed = (answer: () => Promise<Result> = async () => ({ status: 'ok' })) => {
  const members: Member[] = []
  const warnings: string[] = []
  const commit = (member: Member): Promise<Result> => {
    members.push(member)
    return answer()
  }
  const clock = { ...realClock, now: () => NOW }
  const suspects = createSuspects(
    { commit, clock, log: createLog((_, message) => warnings.push(message)) },
    SLOTS,
  )
  const delays = (): readonly (readonly [string, number])[] =>
    members.flatMap(({ control = [] }) =>
      control.flatMap((each) => (each.kind === 'hold' ? [[each.claim.id, each.dueAt - NOW] as const] : [])),
    )
  const admit = async (...rows: readonly ClaimedAction[]) => (await suspects.admit(rows)).map(({ id }) => id)
  return { suspects, admit, delays, warnings }
}

it('F35: what was never reaped begins beside anything', async () => {
  const { admit, delays } = bed()
  const rows = Array.from({ length: 20 }, (_, n) => claimed(`a${n}`, 0))
  expect(await admit(...rows, claimed('b', 1), claimed('c', 2))).toHaveLength(22)
  expect(delays()).toEqual([])
})

it('F35: what is to be cancelled is not put off: it will not be run', async () => {
  const { admit, delays } = bed()
  const cancelled = { ...claimed('c', 2), cancelRequested: true }
  expect(await admit(claimed('a', 2), claimed('b', 2), cancelled)).toEqual(['a', 'c'])
  expect(delays().map(([id]) => id)).toEqual(['b'])
})

it('F35: of those reaped once as many begin as a quarter of the slots, the others come in turns of as many', async () => {
  const { admit, delays, suspects } = bed()
  const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => claimed(id, 1)) as ClaimedAction[]
  expect(await admit(a!, b!, c!, d!, e!)).toEqual(['a', 'b'])
  const putOff = [
    ['c', 50],
    ['d', 50],
    ['e', 100],
  ]
  expect(delays()).toEqual(putOff)
  suspects.over(a!)
  expect(await admit(c!, d!)).toEqual(['c'])
  expect(await admit(f!)).toEqual([])
  expect(delays()).toEqual([...putOff, ['d', 50], ['f', 1000]])
})

it('F35: a worker of few slots has at least one of them under way', async () => {
  const suspects = createSuspects(
    {
      commit: async () => ({ status: 'ok' }),
      clock: realClock,
      log: createLog(() => undefined),
    },
    1,
  )
  expect(await suspects.admit([claimed('a', 1), claimed('b', 1)])).toHaveLength(1)
})

it('F35: of several suspects one begins, the others are put off, one after the other', async () => {
  const { admit, delays } = bed()
  const rows = [claimed('a', 2), claimed('b', 0), claimed('c', 4), claimed('d', 2)]
  expect(await admit(...rows)).toEqual(['a', 'b'])
  expect(delays()).toEqual([
    ['c', 50],
    ['d', 100],
  ])
})

it('F35: while one is under way no other begins; when it is over, the next does', async () => {
  const { admit, delays, suspects } = bed()
  await admit(claimed('a', 2))
  expect(await admit(claimed('b', 3), claimed('c', 0))).toEqual(['c'])
  expect(delays()).toEqual([['b', 1000]])
  suspects.over(claimed('c', 0))
  expect(await admit(claimed('b', 3))).toEqual([])
  suspects.over(claimed('a', 2))
  expect(await admit(claimed('b', 3))).toEqual(['b'])
})

it('F35: no suspect begins before the others are put off', async () => {
  const written = Promise.withResolvers<Result>()
  const { admit } = bed(() => written.promise)
  let begun: readonly string[] | undefined
  const admitted = admit(claimed('a', 2), claimed('b', 2)).then((ids) => {
    begun = ids
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toBeUndefined()
  written.resolve({ status: 'ok' })
  await admitted
  expect(begun).toEqual(['a'])
})

it('one that cannot be put off is told, and still does not begin', async () => {
  const { admit, warnings } = bed(() => Promise.reject(new Error('no store')))
  expect(await admit(claimed('a', 2), claimed('b', 2))).toEqual(['a'])
  expect(warnings).toEqual(['a suspect could not be put off'])
})
