// A limit and those of the same key in another tenant, another namespace and the whole store: each has its own places and
// its own line, and whoever comes, goes or is called does so in one of them.

import { EVERYONE, type LimitRef } from '../../store/limits.ts'
import type { ClaimedAction } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { same } from './check.ts'
import { action, ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const AT = { now: NOW, lease: NOW }
const FAR = NOW + 10 ** 9

const running = async (bed: Bed, ...ids: readonly string[]): Promise<readonly ClaimedAction[]> => {
  await bed.enqueue(...ids.map((id) => action(id)))
  const claimed = await bed.claim(`nonce of ${ids.join()}`)
  return ids.map((id) => claimed.find((one) => one.id === id)!)
}

const wants = ({ id, token }: ClaimedAction, since: number) => ({ ...OF, id, token, since, waits: true })

const putOff = (bed: Bed, { id, token, nonce }: ClaimedAction) =>
  bed.ok({ control: [{ kind: 'hold', claim: { id, token, nonce }, dueAt: FAR, hold: 'concurrency:x' }] })

/** One key in every tenancy, and another one here: each with a place that is taken, and a line of its own. */
const REFS: readonly LimitRef[] = [
  { ...OF, key: 'k' },
  { ...OTHER, key: 'k' },
  { ...ELSEWHERE, key: 'k' },
  { ...EVERYONE, key: 'k' },
  { ...OF, key: 'l' },
]

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)

/** In each limit one has the place, and two wait: one of its own, and one that waits in all of them, by turns longer. */
const queue = async (bed: Bed) => {
  const [holder, ...line] = await running(bed, 'h', ...REFS.map((_, index) => `w${index}`), 'both')
  for (const [index, ref] of REFS.entries()) {
    await bed.limits.take(ref, [wants(holder!, NOW)], 1, AT)
    const waiters = [wants(line[index]!, NOW - 50 - index), wants(line.at(-1)!, NOW - index * 100)]
    same((await bed.limits.take(ref, waiters, 1, AT)).waiting, 2, 'how many wait')
  }
  return { holder: holder!, line }
}

const limits: Case = {
  name: 'strangers: a limit has its own places, its own line, and calls its own',
  run: async (bed) => {
    const { limits: port } = bed
    const { holder, line } = await queue(bed)
    const [first, ...others] = REFS
    const standing = () => Promise.all(REFS.map((ref) => port.line(ref, 'both')))
    const held = async () => (await standing()).map((one) => one.held)
    const expected = REFS.map((ref) => ({ held: 1, before: ref === first ? 1 : 0 }))
    same(await standing(), expected, 'each line')
    for (const one of line) await putOff(bed, one)
    same(idsOf(await port.release(first!, [holder], 1, AT)), ['w0'], 'who is called')
    same(idsOf(await port.release(first!, [holder], 2, AT)), ['both'], 'who is called next')
    same(await held(), [0, 1, 1, 1, 1], 'places')
    const [fresh] = await running(bed, 'new')
    const taken = await Promise.all(others.map((ref) => port.take(ref, [wants(fresh!, NOW)], 2, AT)))
    same(
      taken.map((one) => one.taken),
      others.map(() => ['new']),
      'where nobody was called',
    )
    await putOff(bed, fresh!)
    await port.take(first!, [], 2, AT)
    same(await held(), [0, 2, 2, 2, 2], 'places nobody holds any more, elsewhere')
    same(idsOf(await port.evict(first!, 1)), ['w0'], 'who leaves the line')
    const gone = await Promise.all(others.map((ref) => port.evict(ref, 0)))
    same(
      gone.map(({ length }) => length),
      others.map(() => 2),
      'the other lines',
    )
    same(idsOf(await port.evict(first!, 0)), ['both'], 'the last')
  },
}

const swept: Case = {
  name: 'strangers: of two in line the one that came back of late is not swept, and the first by name is called',
  run: async (bed) => {
    const [one, two] = await running(bed, 'one', 'two')
    const ref = REFS[0]!
    await bed.limits.take(ref, [wants(one!, NOW)], 0, AT)
    await bed.limits.take(ref, [wants(two!, NOW)], 0, { now: NOW + 100 })
    await bed.limits.sweep(NOW + 50, 9)
    same(
      (await bed.limits.evict(ref, 0)).map(({ id }) => id),
      ['two'],
      'the line',
    )
    await bed.limits.take(ref, [wants(two!, NOW), wants(one!, NOW)], 0, AT)
    for (const waiting of [one, two]) await putOff(bed, waiting!)
    same(
      (await bed.limits.release(ref, [{ id: 'nobody', token: 1 }], 1, AT)).map(({ id }) => id),
      ['one'],
      'of two that wait as long, who is called',
    )
  },
}

export const lineCases: readonly Case[] = [limits, swept]
