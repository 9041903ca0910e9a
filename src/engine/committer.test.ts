import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Advance, Member, Result } from '../store/store.ts'
import { type CommitterOptions, createCommitter } from './committer.ts'

const member = (at: number, more: Partial<Member> = {}): Member => ({
  namespace: 'n',
  tenant: 't',
  at,
  ...more,
})

/** Moves an execution; only who it is matters here. */
const of = (execution: string): Partial<Member> => ({
  advance: { execution: { id: execution }, actions: [], consume: [] } as unknown as Advance,
})

/** A store whose commits end when the test says so. */
const bed = (options: Partial<CommitterOptions> = {}) => {
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
    { turn, ...options },
  )
  return { batches, ends, commit: (at: number, more?: Partial<Member>) => commit(member(at, more)) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('idle, a member goes with the next turn, and alone', async () => {
  const { batches, ends, commit } = bed()
  const first = commit(1)
  await turn()
  expect(batches).toEqual([[1]])
  ends[0]!()
  expect(await first).toMatchObject({ subject: '1' })
})

it('those that come in one turn go together; what arrives meanwhile goes with the next, each with its own answer', async () => {
  const { batches, ends, commit } = bed()
  const first = [commit(1), commit(2)]
  await turn()
  const then = [commit(3), commit(4)]
  await turn()
  expect(batches).toEqual([[1, 2]])
  ends[0]!()
  await Promise.all(first)
  await turn()
  ends[1]!()
  expect((await Promise.all([...first, ...then])).map(({ subject }) => subject)).toEqual(['1', '2', '3', '4'])
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ])
})

it('those who were answered together ask together', async () => {
  const batches: number[] = []
  const commit = createCommitter(
    async (members) => {
      batches.push(members.length)
      return members.map(() => ({ status: 'ok' }))
    },
    { turn },
  )
  const ask = async (name: number): Promise<void> => {
    for (let n = 0; n < 5; n++) await commit(member(name))
  }
  await Promise.all(Array.from({ length: 20 }, (_, name) => ask(name)))
  expect(batches).toEqual([20, 20, 20, 20, 20])
})

it('G3: a batch is bounded in members', async () => {
  const { batches, ends, commit } = bed({ batch: 2 })
  const all = [1, 2, 3, 4, 5].map((at) => commit(at))
  for (let index = 0; index < 3; index++) {
    await turn()
    ends[index]!()
    await all[index * 2]
  }
  await Promise.all(all)
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

it('G3: a batch is bounded in bytes; what is larger by itself goes alone', async () => {
  const { batches, ends, commit } = bed({ bytes: 1000 })
  const record = (length: number): Partial<Member> => ({
    record: [{ type: 'x', at: 1, data: { text: 'x'.repeat(length) } }],
  })
  const all = [commit(1, record(400)), commit(2, record(400)), commit(3, record(5000)), commit(4, record(10))]
  for (let index = 0; index < 3; index++) {
    await turn()
    ends[index]!()
    await all[index + 1]
  }
  await Promise.all(all)
  expect(batches).toEqual([[1, 2], [3], [4]])
})

it('a second commit goes beside the first when there is enough for it, and the pending are split', async () => {
  const { batches, commit } = bed({ flights: () => 2 })
  void commit(0)
  await turn()
  const first = Array.from({ length: 24 }, (_, n) => commit(n + 1))
  await turn()
  expect(batches.map(({ length }) => length)).toEqual([1])
  void commit(25)
  await turn()
  expect(batches.map(({ length }) => length)).toEqual([1, 25])
  expect(first).toHaveLength(24)

  const fresh = bed({ flights: () => 2 })
  for (let n = 0; n < 120; n++) void fresh.commit(n)
  await turn()
  expect(fresh.batches.map(({ length }) => length)).toEqual([60, 60])
})

it('G1: never two commits for one execution; others pass by, its own members keep their order', async () => {
  const { batches, ends, commit } = bed({ flights: () => 2, batch: 3 })
  const all = [commit(1, of('e')), commit(2, of('f')), commit(3), commit(4, of('e')), commit(5)]
  all.push(commit(6, of('e')), commit(7, { deliver: [{ execution: 'e', event: { payload: {} } as never }] }))
  await turn()
  expect(batches).toEqual([[1, 2, 3], [5]])
  ends[1]!()
  await all[4]
  await turn()
  expect(batches).toHaveLength(2)
  ends[0]!()
  await all[0]
  await turn()
  expect(batches[2]).toEqual([4, 6, 7])
  ends[2]!()
  await Promise.all(all)
})

it('G1: what waits for one of its executions keeps the others of it in order too', async () => {
  const { batches, ends, commit } = bed({ flights: () => 2, batch: 1 })
  const deliver = ['e', 'f'].map((execution) => ({ execution, event: { payload: {} } as never }))
  const all = [commit(1, of('e')), commit(2, { deliver }), commit(3, of('f'))]
  await turn()
  expect(batches).toEqual([[1]])
  for (const index of [0, 1, 2]) {
    ends[index]!()
    await all[index]
    await turn()
  }
  expect(batches).toEqual([[1], [2], [3]])
})

it('G2: a store that throws fails everyone in that batch and nobody else', async () => {
  const { ends, commit } = bed()
  const [first, second] = [commit(1), commit(2)]
  await turn()
  const later = commit(3)
  ends[0]!(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect(second).rejects.toThrow('away')
  await turn()
  ends[1]!()
  expect(await later).toMatchObject({ status: 'ok' })
})

it('a store that throws at once is no other', async () => {
  const commit = createCommitter(
    () => {
      throw new Error('closed')
    },
    { turn },
  )
  await expect(commit(member(1))).rejects.toThrow('closed')
  await expect(commit(member(2))).rejects.toThrow('closed')
})

it('whatever arrives when, every member is committed once, and an execution is never in two commits', async () => {
  const arrival = fc.record({
    burst: fc.integer({ min: 1, max: 8 }),
    execution: fc.constantFrom('a', 'b', undefined),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(arrival, { maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      async (arrivals, flights) => {
        const underWay = new Set<string>()
        const seen: number[] = []
        const commit = createCommitter(
          async (members) => {
            const ids = new Set(members.flatMap(({ advance }) => advance?.execution.id ?? []))
            for (const id of ids) {
              expect(underWay.has(id)).toBe(false)
              underWay.add(id)
            }
            await turn()
            seen.push(...members.map(({ at }) => at))
            for (const id of ids) underWay.delete(id)
            return members.map(() => ({ status: 'ok' }))
          },
          { turn: () => Promise.resolve(), flights: () => flights, batch: 3 },
        )
        let next = 0
        const all: Promise<Result>[] = []
        for (const { burst, execution } of arrivals) {
          for (let count = 0; count < burst; count++)
            all.push(commit(member(next++, execution === undefined ? {} : of(execution))))
          await Promise.resolve()
        }
        await Promise.all(all)
        expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, index) => index))
      },
    ),
  )
})
