// Limits: a state is replaced by whoever read it, a place is held by who runs under its token, and a line is kept in order.

import { EVERYONE, type LimitRef, type Limits } from '../../store/limits.ts'
import type { ClaimedAction } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { isTrue, same } from './check.ts'
import { action, ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const KEY: LimitRef = { ...OF, key: 'to/ada' }
const AT = { now: NOW }
const after = (ms: number) => ({ now: NOW + ms })

const keep = (limits: Limits, ref: LimitRef, version: number, n: number, over = {}): Promise<boolean> =>
  limits.swap({ ...ref, version, state: { n }, idleAt: NOW + 1000, shut: false, ...over })

const read = async (limits: Limits, ref: LimitRef) => {
  const { version, state } = (await limits.read([ref], AT)).states[0]!
  return { version, state }
}

/** New actions, claimed, in the order of their names. */
const running = async (bed: Bed, ...ids: readonly string[]): Promise<readonly ClaimedAction[]> => {
  await bed.enqueue(...ids.map((id) => action(id)))
  const claimed = await bed.claim(`nonce of ${ids.join()}`)
  return ids.map((id) => claimed.find((one) => one.id === id)!)
}

const candidate = ({ namespace, tenant, id, token }: ClaimedAction, since = NOW) => ({
  namespace,
  tenant,
  id,
  token,
  since,
  waits: true,
})

/** Back to the queue, as a limit sends it there. */
const putOff = (bed: Bed, { id, token, nonce }: ClaimedAction) =>
  bed.ok({
    control: [{ kind: 'hold', claim: { id, token, nonce }, dueAt: NOW + 5000, hold: 'concurrency:x' }],
  })

const idsOf = (refs: readonly { readonly id: string }[]): readonly string[] => refs.map(({ id }) => id)

const stateCases: readonly Case[] = [
  {
    name: 'limits, L1: a state is replaced by whoever read it, and by nobody else',
    run: async ({ limits, another }) => {
      const { limits: other } = await another()
      same(await read(limits, KEY), { version: 0, state: {} }, 'nothing is kept')
      same([await keep(limits, KEY, 0, 1), await keep(other, KEY, 0, 2)], [true, false], 'the first')
      same(await read(other, KEY), { version: 1, state: { n: 1 } }, 'of the first')
      same([await keep(other, KEY, 1, 3), await keep(limits, KEY, 1, 4)], [true, false], 'the second')
      same(await keep(limits, KEY, 7, 5), false, 'one that never was')
      same(await read(limits, KEY), { version: 2, state: { n: 3 } }, 'what stands')
    },
  },
  {
    name: 'limits: of rivals that take from one state at once, each number is taken once',
    run: async ({ limits, another }) => {
      const { limits: other } = await another()
      const taken: number[] = []
      const take = async (port: Limits): Promise<void> => {
        for (;;) {
          const { version, state } = await read(port, KEY)
          const n = Number(state['n'] ?? 0) + 1
          if (!(await keep(port, KEY, version, n))) continue
          taken.push(n)
          return
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, index) => take(index % 2 === 0 ? limits : other)))
      same(
        taken.toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8],
        'the numbers',
      )
    },
  },
  {
    name: 'limits: several are read at once, in the order asked for, with the instant',
    run: async ({ limits }) => {
      const others = ['b', 'c'].map((key) => ({ ...OF, key }))
      await keep(limits, others[1]!, 0, 9)
      const { now, states } = await limits.read([KEY, others[1]!, others[0]!], AT)
      same(
        [now, states.map(({ key, version }) => [key, version])],
        [
          NOW,
          [
            [KEY.key, 0],
            ['c', 1],
            ['b', 0],
          ],
        ],
        'read',
      )
      const real = await limits.read([KEY], {})
      isTrue(real.now > NOW - 10 ** 12 && Number.isInteger(real.now), 'the clock of the store')
    },
  },
  {
    name: 'P5, limits: equal keys of two tenants, and of everyone, are three limits',
    run: async (bed) => {
      const { limits } = bed
      const refs = [OF, OTHER, ELSEWHERE, EVERYONE].map((of) => ({ ...of, key: 'k' }))
      for (const [index, ref] of refs.entries()) same(await keep(limits, ref, 0, index), true, 'kept')
      for (const [index, ref] of refs.entries())
        same(await read(limits, ref), { version: 1, state: { n: index } }, 'read')
      same(await keep(limits, refs[1]!, 1, 10), true, 'replaced')
      same(
        [(await read(limits, refs[0]!)).state, (await read(limits, refs[2]!)).state],
        [{ n: 0 }, { n: 2 }],
        'others',
      )
      const [one, two] = await running(bed, 'act_1', 'act_2')
      for (const ref of refs)
        same((await limits.take(ref, [candidate(one!)], 1, AT)).taken, ['act_1'], 'a place')
      for (const ref of refs) same((await limits.take(ref, [candidate(two!)], 1, AT)).taken, [], 'full')
      same(idsOf(await limits.evict(refs[1]!, 0)), ['act_2'], 'out of one line')
      same((await limits.line(refs[0]!, 'act_2')).held, 1, 'of the others nothing')
      same((await limits.take(refs[0]!, [candidate(one!)], 0, AT)).waiting, 2, 'their lines stay')
    },
  },
  {
    name: 'limits: what is shut and not idle is known to all, the longest first',
    run: async ({ limits }) => {
      const rows = [
        ['open', { shut: false, idleAt: NOW + 500 }],
        ['short', { shut: true, idleAt: NOW + 100 }],
        ['long', { shut: true, idleAt: NOW + 900 }],
        ['over', { shut: true, idleAt: NOW }],
      ] as const
      for (const [key, over] of rows) await keep(limits, { ...OF, key }, 0, 1, over)
      await keep(limits, { ...OTHER, key: 'theirs' }, 0, 4, { shut: true, idleAt: NOW + 400 })
      const shut = await limits.shut(10, AT)
      same(
        shut.map(({ tenant, key, version, state }) => [tenant, key, version, state]),
        [
          ['acme', 'long', 1, { n: 1 }],
          ['umbrella', 'theirs', 1, { n: 4 }],
          ['acme', 'short', 1, { n: 1 }],
        ],
        'shut',
      )
      same(
        (await limits.shut(1, AT)).map(({ key }) => key),
        ['long'],
        'at most so many',
      )
      await keep(limits, { ...OF, key: 'long' }, 1, 2, { shut: false, idleAt: NOW + 900 })
      await keep(limits, { ...OF, key: 'short' }, 1, 2, { shut: true, idleAt: NOW + 50 })
      same(
        (await limits.shut(10, after(50))).map(({ key }) => key),
        ['theirs'],
        'opened, and idle',
      )
    },
  },
  {
    name: 'limits: sweeping removes what is idle, and only that',
    run: async ({ limits }) => {
      for (const [index, key] of ['a', 'b', 'c'].entries())
        await keep(limits, { ...OF, key }, 0, 1, { idleAt: NOW + index })
      same(await limits.sweep(NOW + 2, 1), true, 'a slice, and there is more')
      same([await limits.sweep(NOW + 2, 5), await limits.sweep(NOW + 2, 5)], [false, false], 'the rest')
      const { states } = await limits.read(
        ['a', 'b', 'c'].map((key) => ({ ...OF, key })),
        AT,
      )
      same(
        states.map(({ version }) => version),
        [0, 0, 1],
        'what is left',
      )
    },
  },
]

const placeCases: readonly Case[] = [
  {
    name: 'limits, L2: a place is held while its action runs under its token, and is free when it does not',
    run: async (bed) => {
      const { limits } = bed
      const [one, two, three] = await running(bed, 'act_1', 'act_2', 'act_3')
      const first = await limits.take(KEY, [candidate(one!), candidate(two!), candidate(three!)], 2, AT)
      same([first.taken, first.waiting], [['act_1', 'act_2'], 1], 'two of three')
      same((await limits.take(KEY, [candidate(three!)], 2, AT)).taken, [], 'still full')
      await putOff(bed, one!)
      same(
        (await limits.take(KEY, [candidate(three!)], 2, AT)).taken,
        ['act_3'],
        'one went back to the queue',
      )
      const [again] = await bed.claim('nonce again', { now: NOW + 6000, lease: NOW })
      isTrue(again!.id === 'act_1' && again!.token === one!.token + 1, 'claimed anew')
      same((await limits.take(KEY, [candidate(again!)], 2, AT)).taken, [], 'with another token it asks anew')
      await bed.settle(two!)
      same((await limits.take(KEY, [candidate(again!)], 2, AT)).taken, ['act_1'], 'one has ended')
    },
  },
  {
    name: 'limits: who has a place and asks again keeps it, and takes no second one',
    run: async (bed) => {
      const { limits } = bed
      const [one, two] = await running(bed, 'act_1', 'act_2')
      await limits.take(KEY, [candidate(one!)], 2, AT)
      same((await limits.take(KEY, [candidate(one!)], 2, AT)).taken, ['act_1'], 'again')
      same((await limits.take(KEY, [candidate(two!)], 2, AT)).taken, ['act_2'], 'the other one')
      same((await limits.line(KEY, 'act_1')).held, 2, 'held')
    },
  },
  {
    name: 'limits: a place that is given back calls the oldest in line, once, and only who is queued',
    run: async (bed) => {
      const { limits } = bed
      const all = await running(bed, 'act_1', 'act_2', 'act_3', 'act_4', 'act_5')
      const [one, two, three, four, five] = all
      await limits.take(KEY, [candidate(one!)], 1, AT)
      // In line: three (oldest), four, two; five is still running and cannot come.
      await limits.take(KEY, [candidate(five!, NOW - 90), candidate(two!, NOW - 10)], 1, AT)
      await limits.take(KEY, [candidate(four!, NOW - 20), candidate(three!, NOW - 30)], 1, AT)
      same((await limits.line(KEY, 'act_2')).before, 3, 'before the youngest')
      same((await limits.line(KEY, 'act_5')).before, 0, 'before the oldest')
      for (const each of [two, three, four]) await putOff(bed, each!)
      same(await limits.release(KEY, [{ id: 'act_1', token: one!.token + 1 }], 1, AT), [], 'another token')
      await bed.settle(one!)
      const called = await limits.release(KEY, [one!], 1, AT)
      same(called, [{ ...OF, id: 'act_3' }], 'the oldest that can come')
      same(await limits.release(KEY, [one!], 1, after(1999)), [], 'it has its time')
      same(idsOf(await limits.release(KEY, [one!], 1, after(2001))), ['act_3'], 'it did not come: once more')
      same(
        idsOf(await limits.release(KEY, [one!], 2, after(2002))),
        ['act_4'],
        'and the next, for a second place',
      )
    },
  },
  {
    name: 'limits: places that are given back together call as many, and whose token is another gives back none',
    run: async (bed) => {
      const { limits } = bed
      const all = await running(bed, 'act_1', 'act_2', 'act_3', 'act_4', 'act_5', 'act_6')
      const [one, two, three, ...waiting] = all
      await limits.take(
        KEY,
        [one!, two!, three!].map((each) => candidate(each)),
        3,
        AT,
      )
      for (const [index, each] of waiting.entries()) {
        await limits.take(KEY, [candidate(each, NOW - 30 + index)], 3, AT)
        await putOff(bed, each)
      }
      const strange = { id: three!.id, token: three!.token + 1 }
      const called = await limits.release(KEY, [one!, strange, two!], 3, AT)
      same(idsOf(called), ['act_4', 'act_5'], 'one for each that was free')
      same((await limits.line(KEY, 'act_6')).held, 1, 'the other is held')
    },
  },
  {
    name: 'limits, L3: a place that was offered is kept for who was called; newcomers get what is left',
    run: async (bed) => {
      const { limits } = bed
      const [one, two, three] = await running(bed, 'act_1', 'act_2', 'act_3')
      await limits.take(KEY, [candidate(one!)], 1, AT)
      await limits.take(KEY, [candidate(two!, NOW - 5)], 1, AT)
      await putOff(bed, two!)
      await bed.settle(one!)
      same(idsOf(await limits.release(KEY, [one!], 1, AT)), ['act_2'], 'called')
      same((await limits.take(KEY, [candidate(three!)], 1, after(10))).taken, [], 'a newcomer waits')
      same(
        (await limits.take(KEY, [candidate(three!)], 2, after(10))).taken,
        ['act_3'],
        'unless there is another',
      )
      await putOff(bed, three!)
      const claims = await bed.claim('nonce two', { now: NOW + 6000, lease: NOW })
      const second = claims.find(({ id }) => id === 'act_2')!
      same((await limits.take(KEY, [candidate(second)], 1, after(20))).taken, ['act_2'], 'it comes')
      same((await limits.line(KEY, 'act_2')).held, 1, 'one is held')
      await bed.settle(second)
      const third = claims.find(({ id }) => id === 'act_3')!
      same(
        (await limits.take(KEY, [candidate(third)], 1, after(30))).taken,
        ['act_3'],
        'nobody is called any more',
      )
    },
  },
  {
    name: 'limits: the oldest leave the line until so many are left, and who holds a place stays',
    run: async (bed) => {
      const { limits } = bed
      const [one, two, three, four] = await running(bed, 'act_1', 'act_2', 'act_3', 'act_4')
      await limits.take(KEY, [candidate(one!, NOW - 90)], 1, AT)
      await limits.take(
        KEY,
        [candidate(two!, NOW), candidate(three!, NOW - 20), candidate(four!, NOW)],
        1,
        AT,
      )
      const evicted = await limits.evict(KEY, 1)
      same([...idsOf(evicted)].sort(), ['act_2', 'act_3'], 'all but the youngest')
      same(evicted[0]!.tenant, OF.tenant, 'with their tenant')
      same(await limits.evict(KEY, 1), [], 'nobody else')
      same((await limits.take(KEY, [candidate(four!)], 1, AT)).waiting, 1, 'the line')
      same((await limits.line(KEY, 'act_4')).held, 1, 'the place')
    },
  },
  {
    name: 'limits: who does not wait takes a place or is gone, and is in no line',
    run: async (bed) => {
      const { limits } = bed
      const [one, two] = await running(bed, 'act_1', 'act_2')
      const hasty = (claimed: ClaimedAction) => ({ ...candidate(claimed), waits: false })
      same((await limits.take(KEY, [hasty(one!), hasty(two!)], 1, AT)).taken, ['act_1'], 'the first')
      same((await limits.take(KEY, [hasty(two!)], 1, AT)).waiting, 0, 'nobody waits')
      same(await limits.evict(KEY, 0), [], 'nobody is in line')
    },
  },
  {
    name: 'limits: rivals for the last places get exactly them',
    run: async (bed) => {
      const { limits: other } = await bed.another()
      const all = await running(bed, ...Array.from({ length: 8 }, (_, index) => `act_${index}`))
      const taken = await Promise.all(
        all.map((one, index) => (index % 2 ? other : bed.limits).take(KEY, [candidate(one)], 3, AT)),
      )
      same(taken.flatMap((each) => each.taken).length, 3, 'taken')
      same((await bed.limits.take(KEY, [candidate(all[0]!)], 3, AT)).waiting >= 4, true, 'the others wait')
    },
  },
  {
    name: 'limits: places nobody came back to are swept, those of who still runs are not',
    run: async (bed) => {
      const { limits } = bed
      const [one, two, three, four] = await running(bed, 'act_1', 'act_2', 'act_3', 'act_4')
      await limits.take(KEY, [candidate(one!), candidate(two!)], 2, AT)
      await limits.take(KEY, [candidate(three!)], 2, AT)
      await limits.take(KEY, [candidate(four!)], 2, after(100))
      await putOff(bed, two!)
      same(await limits.sweep(NOW + 100, 1), true, 'a slice')
      same([await limits.sweep(NOW + 100, 9), await limits.sweep(NOW + 100, 9)], [false, false], 'the rest')
      same(await limits.line(KEY, 'act_4'), { held: 1, before: 0 }, 'what is left')
    },
  },
]

export const limitCases: readonly Case[] = [...stateCases, ...placeCases]
