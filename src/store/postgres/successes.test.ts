import { expect, it } from 'vitest'
import type { Member, Settle } from '../store.ts'
import { newsOf } from './commit.ts'
import { startDraft } from './draft.ts'
import { applyMember } from './member.ts'
import type { Caller } from './statements.ts'
import { allWell, countsOf, encodeSuccesses, successesOf } from './successes.ts'
import { assumeRows } from './sure.ts'
import { encodeWrites } from './write.ts'

const HOUR = 3_600_000
const caller = { isOwn: false } as Caller

const settleOf = (id: string, more: Partial<Settle> = {}): Settle => ({
  claim: { id, token: 3, nonce: `nonce of ${id}` },
  settlement: {
    status: 'succeeded',
    outcome: 'succeeded',
    reason: 'done',
    lost: 1,
    reaps: 2,
    result: { id },
  },
  worker: 'w',
  attempt: 1,
  startedAt: 10,
  endedAt: 20,
  ...more,
})

const memberOf = (id: string, more: Partial<Member> = {}, settle: Partial<Settle> = {}): Member => ({
  namespace: 'n',
  tenant: 't',
  at: 5 * HOUR + 7,
  settle: [settleOf(id, settle)],
  ...more,
})

/** The same batch by way of a draft. */
const drafted = (batch: readonly Member[]) => {
  const none = new Map<string, never>()
  const nothing = {
    sought: new Set<string>(),
    gathering: none,
    known: new Set<string>(),
    steps: none,
    dedup: none,
  }
  const more = { definitions: none, pauses: none, bulks: none, sent: none, alerts: none }
  const rows = assumeRows(batch)
  const draft = startDraft({ ...nothing, ...more, ...rows, clock: undefined, laneOf: () => 1 })
  const results = batch.map((member) => applyMember(draft, member))
  const counts = draft.counted()
  const writes = (withCounts: boolean) => encodeWrites(caller, draft, withCounts ? counts : [])
  return { results, news: [newsOf(draft)], counts, writes }
}

it.each<[string, readonly Member[]]>([
  ['one', [memberOf('a')]],
  ['in the order of ids, in whatever order they came', [memberOf('c'), memberOf('a'), memberOf('b')]],
  ['of one that never started', [memberOf('a', {}, { attempt: 0 }), memberOf('b')]],
  [
    'without a result',
    [
      memberOf(
        'a',
        {},
        { settlement: { status: 'succeeded', outcome: 'succeeded', reason: 'done', lost: 0, reaps: 0 } },
      ),
    ],
  ],
  [
    'of several tenants and hours, some of them again',
    [
      memberOf('a', { tenant: 'u' }),
      memberOf('b'),
      memberOf('c', { at: HOUR }),
      memberOf('d', { tenant: 'u' }),
      memberOf('e', { namespace: 'm' }),
      memberOf('f', { at: HOUR }),
    ],
  ],
  ['of as many tenants as are added at once', ['a', 'b', 'c', 'd'].map((id) => memberOf(id, { tenant: id }))],
  ['of more, on a tally', ['a', 'b', 'c', 'd', 'e'].map((id) => memberOf(id, { tenant: id }))],
])('S1: what is written is what a draft would write: %s', (_, batch) => {
  const successes = successesOf(batch)!
  const { results, news, counts, writes } = drafted(batch)
  for (const withCounts of [true, false])
    expect(encodeSuccesses(caller, successes, withCounts ? countsOf(successes) : [])).toEqual(
      writes(withCounts),
    )
  expect(countsOf(successes)).toEqual(counts)
  expect(allWell(successes)).toEqual({ results, news })
})

const line = { type: 'action.succeeded', at: 1, data: {} }

it.each<[string, readonly Member[]]>([
  ['one that is there twice: the second has lost', [memberOf('b'), memberOf('a'), memberOf('b')]],
  ['twice, one behind the other', [memberOf('a'), memberOf('a')]],
  ['a later success, whose attempt is written down', [memberOf('a'), memberOf('b', {}, { attempt: 2 })]],
  ['one whose lease must have run out', [memberOf('a', {}, { onlyIfExpired: true })]],
  [
    'one that did not succeed',
    [memberOf('a', {}, { settlement: { ...settleOf('a').settlement, status: 'dead' } })],
  ],
  ['one with a line for the feed', [memberOf('a', { record: [line] })]],
  ['one that asks for more actions', [memberOf('a', { enqueue: [] })]],
  ['one that delivers', [memberOf('a', { deliver: [] })]],
  ['one that controls', [memberOf('a', { control: [] })]],
  ['one that moves an execution', [memberOf('a', { advance: {} as NonNullable<Member['advance']> })]],
  ['two that win or lose together', [memberOf('a', { settle: [settleOf('a'), settleOf('b')] })]],
  ['one that settles nothing', [{ namespace: 'n', tenant: 't', at: 1, record: [line] }]],
])('what is more than first successes goes by a draft: %s', (_, batch) => {
  expect(successesOf(batch)).toBeUndefined()
})
