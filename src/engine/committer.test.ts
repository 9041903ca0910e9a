import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Member, Result } from '../store/store.ts'
import { createCommitter } from './committer.ts'

const member = (at: number): Member => ({ namespace: 'n', tenant: 't', at })

/** A store whose commits end when the test says so. */
const bed = (batch?: number) => {
  const batches: number[][] = []
  const ends: ((error?: Error) => void)[] = []
  const commit = createCommitter(
    (members) => {
      batches.push(members.map(({ at }) => at))
      return new Promise<readonly Result[]>((resolve, reject) => {
        const results = members.map(({ at }): Result => ({ status: 'ok', subject: String(at) }))
        ends.push((error) => (error ? reject(error) : resolve(results)))
      })
    },
    batch === undefined ? {} : { batch },
  )
  return { batches, ends, commit: (at: number) => commit(member(at)) }
}

it('idle, a member goes at once and alone', async () => {
  const { batches, ends, commit } = bed()
  const first = commit(1)
  expect(batches).toEqual([[1]])
  ends[0]!()
  expect(await first).toMatchObject({ subject: '1' })
})

it('what arrives meanwhile goes together with the next one, in order, each with its own answer', async () => {
  const { batches, ends, commit } = bed()
  const all = [commit(1), commit(2), commit(3), commit(4)]
  ends[0]!()
  await all[0]
  ends[1]!()
  expect((await Promise.all(all)).map(({ subject }) => subject)).toEqual(['1', '2', '3', '4'])
  expect(batches).toEqual([[1], [2, 3, 4]])
})

it('a batch is bounded', async () => {
  const { batches, ends, commit } = bed(2)
  const all = [1, 2, 3, 4, 5, 6].map(commit)
  for (let turn = 0; turn < 4; turn++) {
    ends[turn]!()
    await all[Math.min(turn * 2, 5)]
  }
  await Promise.all(all)
  expect(batches).toEqual([[1], [2, 3], [4, 5], [6]])
})

it('G2: a store that throws fails everyone in that batch and nobody else', async () => {
  const { ends, commit } = bed()
  const [first, second, third] = [commit(1), commit(2), commit(3)]
  ends[0]!()
  await first
  const later = commit(4)
  ends[1]!(new Error('away'))
  await expect(second).rejects.toThrow('away')
  await expect(third).rejects.toThrow('away')
  ends[2]!()
  expect(await later).toMatchObject({ status: 'ok' })
})

it('a store that throws at once is no other', async () => {
  const commit = createCommitter(() => {
    throw new Error('closed')
  })
  await expect(commit(member(1))).rejects.toThrow('closed')
  await expect(commit(member(2))).rejects.toThrow('closed')
})

it('whatever arrives when, every member is committed once and never two batches at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), async (bursts) => {
      let underWay = 0
      const seen: number[] = []
      const commit = createCommitter(
        async (members) => {
          underWay += 1
          expect(underWay).toBe(1)
          await Promise.resolve()
          seen.push(...members.map(({ at }) => at))
          underWay -= 1
          return members.map(() => ({ status: 'ok' }))
        },
        { batch: 3 },
      )
      let next = 0
      const all: Promise<Result>[] = []
      for (const burst of bursts) {
        for (let count = 0; count < burst; count++) all.push(commit(member(next++)))
        await Promise.resolve()
      }
      await Promise.all(all)
      expect(seen).toEqual(Array.from({ length: next }, (_, index) => index))
    }),
  )
})
