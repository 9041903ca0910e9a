import { expect, it } from 'vitest'
import type { ClaimedAction, Member, Result } from '../store/store.ts'
import { realClock } from './clock.ts'
import { createLog } from './log.ts'
import { createSuspects } from './suspects.ts'

const claimed = (id: string, reaps: number): ClaimedAction =>
  ({ id, reaps, namespace: 'n', tenant: 't', token: 1, nonce: 'x' }) as ClaimedAction

const NOW = 1_000_000

const bed = (answer: () => Promise<Result> = async () => ({ status: 'ok' })) => {
  const members: Member[] = []
  const warnings: string[] = []
  const suspects = createSuspects({
    commit: (member) => {
      members.push(member)
      return answer()
    },
    clock: { ...realClock, now: () => NOW },
    log: createLog((_, message) => warnings.push(message)),
  })
  const delays = (): readonly (readonly [string, number])[] =>
    members.flatMap(({ control = [] }) =>
      control.flatMap((each) => (each.kind === 'hold' ? [[each.claim.id, each.dueAt - NOW] as const] : [])),
    )
  const admit = async (...rows: readonly ClaimedAction[]) => (await suspects.admit(rows)).map(({ id }) => id)
  return { suspects, admit, delays, warnings }
}

it('F35: what was reaped less than twice begins beside anything', async () => {
  const { admit, delays } = bed()
  expect(await admit(claimed('a', 0), claimed('b', 1), claimed('c', 0))).toEqual(['a', 'b', 'c'])
  expect(delays()).toEqual([])
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
