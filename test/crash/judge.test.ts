// The judge is judged: real evidence of a run without faults is clean, and each damage planted in it is found, by name.

import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { canonical } from '../../src/core/json.ts'
import type { ActionFact, Evidence, LineFact } from './evidence.ts'
import { judge, type Verdict } from './judge.ts'
import { openStage } from './stage.ts'
import { firingScriptsOf, scriptsOf } from './workload.ts'

let sound: Evidence

beforeAll(async () => {
  const stage = await openStage()
  try {
    // A lease that a busy machine does not outlast.
    const life = await stage.begin({ leaseMs: 60_000, testifies: true })
    await life.ready
    for (const script of [...scriptsOf('w'), ...firingScriptsOf('w')]) await stage.play(life, script)
    await life.ask({ verb: 'quiet' })
    sound = await stage.evidence()
  } finally {
    await stage.close()
  }
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A history forged whole: every hash is right again. */
const forged = (
  evidence: Evidence,
  id: string,
  change: (lines: readonly LineFact[]) => readonly LineFact[],
) => {
  const isOwn = ({ execution, number }: LineFact): boolean => execution === id && number !== null
  let hash = sha256(canonical(['default', 'default', id]))
  const own = change(evidence.lines.filter(isOwn)).map((line, index) => {
    const prev = hash
    hash = sha256(canonical([prev, index + 1, line.type, line.at, line.data]))
    return { ...line, number: index + 1, prev_hash: prev, hash }
  })
  const head = { chain_number: own.length, chain_hash: hash }
  return {
    ...evidence,
    lines: [...evidence.lines.filter((line) => !isOwn(line)), ...own],
    executions: evidence.executions.map((row) => (row.id === id ? { ...row, ...head } : row)),
  }
}

const actionOf = ({ open, ended }: Evidence, me: string, what: string): ActionFact =>
  [...open, ...ended].find(({ plan: { config } }) => config.body.me === me && config.body.what === what)!

const changed = (evidence: Evidence, action: ActionFact, over: Partial<ActionFact>): Evidence => {
  const change = (rows: readonly ActionFact[]) =>
    rows.map((row) => (row.id === action.id ? { ...row, ...over } : row))
  return { ...evidence, open: change(evidence.open), ended: change(evidence.ended) }
}

const without = <T>(rows: readonly T[], isGone: (row: T) => boolean): readonly T[] =>
  rows.filter((row) => !isGone(row))

const callOf = (evidence: Evidence, what: string) =>
  evidence.calls.find(({ body }) => JSON.parse(body).what === what)!

type Field = 'lost' | 'doubled' | 'stuck' | 'stale'
type Plant = readonly [damage: string, field: Field, words: RegExp, plant: (sound: Evidence) => Evidence]

const LOST: readonly Plant[] = [
  [
    'an accepted execution is gone',
    'lost',
    /accepted: .*w-order/,
    (e) => ({ ...e, executions: without(e.executions, ({ id }) => id === 'w-order') }),
  ],
  [
    'an accepted event was never taken',
    'lost',
    /accepted: .*w-order paid/,
    (e) => forged(e, 'w-order', (lines) => lines.slice(0, 1)),
  ],
  [
    'an accepted event is not remembered',
    'lost',
    /accepted: .*w-order paid/,
    (e) => ({ ...e, inbox: without(e.inbox, ({ event_id: event }) => event === 'w-order paid') }),
  ],
  [
    'a dispatched action is gone',
    'lost',
    /accepted: .*w-plain/,
    (e) => ({ ...e, ended: without(e.ended, ({ plan }) => plan.stepKey === 'w-plain') }),
  ],
  [
    'an action that a step made is gone',
    'lost',
    /w-order made act_.*nowhere/,
    (e) => ({ ...e, ended: without(e.ended, (row) => row === actionOf(e, 'w-order', 'ship')) }),
  ],
  [
    'an effect has no record',
    'lost',
    /record of the effect nobody nothing/,
    (e) => ({
      ...e,
      calls: [...e.calls, { key: 'k', path: '/ok', body: '{"me":"nobody","what":"nothing"}' }],
    }),
  ],
  [
    'an effect was made by an action that never started',
    'lost',
    /record of the effect w-order ship/,
    (e) => changed(e, actionOf(e, 'w-order', 'ship'), { attempt: 0 }),
  ],
  [
    'a success has no effect',
    'lost',
    /the effect w-order ship, which succeeded/,
    (e) => ({ ...e, calls: without(e.calls, (call) => call === callOf(e, 'ship')) }),
  ],
  [
    'more is counted than there is',
    'lost',
    /executions.completed: 6 counted, 5 there/,
    (e) => ({
      ...e,
      counters: e.counters.map((row) => (row.name === 'executions.completed' ? { ...row, value: 6 } : row)),
    }),
  ],
]

const again = (line: LineFact, over: LineFact['data']): LineFact => ({
  ...line,
  data: { ...line.data, ...over },
})

const DOUBLED: readonly Plant[] = [
  [
    'an event is applied twice',
    'doubled',
    /w-order took w-order paid twice/,
    (e) => forged(e, 'w-order', (lines) => [...lines, again(lines[1]!, { to: 'elsewhere' })]),
  ],
  [
    'a state is entered twice',
    'doubled',
    /w-order entered shipping twice/,
    (e) => forged(e, 'w-order', (lines) => [...lines, again(lines[1]!, { event: { id: 'other' } })]),
  ],
  [
    'a line is changed',
    'doubled',
    /w-order: line 2 was changed/,
    (e) => ({
      ...e,
      lines: e.lines.map((line) =>
        line.execution === 'w-order' && line.number === 2 ? again(line, { to: 'done' }) : line,
      ),
    }),
  ],
  [
    'a line is missing',
    'doubled',
    /w-order: line 3 in the place of 2/,
    (e) => ({
      ...e,
      lines: without(e.lines, ({ execution, number }) => execution === 'w-order' && number === 2),
    }),
  ],
  [
    'the last line is missing',
    'doubled',
    /w-order: its history ends at/,
    (e) => ({
      ...e,
      lines: without(
        e.lines,
        (line) => line === e.lines.filter(({ execution }) => execution === 'w-order').at(-1),
      ),
    }),
  ],
  [
    'an action is open and ended',
    'doubled',
    /the action act_\w+ is there twice/,
    (e) => ({ ...e, open: [...e.open, actionOf(e, 'w-order', 'ship')] }),
  ],
  [
    'one step has two actions',
    'doubled',
    /the step .* has two actions/,
    (e) => ({ ...e, ended: [...e.ended, { ...actionOf(e, 'w-order', 'ship'), id: 'act_other' }] }),
  ],
  [
    'what may happen at most once happened twice',
    'doubled',
    /w-alarm text happened 2 times/,
    (e) => ({ ...e, calls: [...e.calls, callOf(e, 'text')] }),
  ],
  [
    'an effect has a second key',
    'doubled',
    /w-order ship has two keys/,
    (e) => ({ ...e, calls: [...e.calls, { ...callOf(e, 'ship'), key: 'another' }] }),
  ],
  [
    'a key comes with other bytes',
    'doubled',
    /the key .* came with other bytes/,
    (e) => ({ ...e, calls: [...e.calls, { ...callOf(e, 'ship'), body: `${callOf(e, 'ship').body} ` }] }),
  ],
  [
    'less is counted than there is',
    'doubled',
    /executions.completed: 4 counted, 5 there/,
    (e) => ({
      ...e,
      counters: e.counters.map((row) => (row.name === 'executions.completed' ? { ...row, value: 4 } : row)),
    }),
  ],
]

const STUCK: readonly Plant[] = [
  [
    'an execution has not ended',
    'stuck',
    /w-order is active in done/,
    (e) => ({ ...e, executions: e.executions.map((row) => ({ ...row, status: 'active' })) }),
  ],
  [
    'an execution ended where nothing that happened leads',
    'stuck',
    /w-order is completed in stuck/,
    (e) => ({ ...e, executions: e.executions.map((row) => ({ ...row, state: 'stuck' })) }),
  ],
  [
    'an execution was cancelled by nobody',
    'stuck',
    /w-order is cancelled/,
    (e) => ({ ...e, executions: e.executions.map((row) => ({ ...row, status: 'cancelled' })) }),
  ],
  [
    'an accepted cancel came to nothing',
    'stuck',
    /w-gone is completed/,
    (e) => ({
      ...e,
      executions: e.executions.map((row) => ({ ...row, status: 'completed', state: 'done' })),
    }),
  ],
  [
    'an action is still queued',
    'stuck',
    /the action act_\w+ is queued/,
    (e) => ({ ...e, open: [...e.open, { ...actionOf(e, 'w-order', 'ship'), status: 'queued' }] }),
  ],
  [
    'an action runs for ever',
    'stuck',
    /the action act_\w+ is running/,
    (e) => ({ ...e, open: [...e.open, { ...actionOf(e, 'w-order', 'ship'), status: 'running' }] }),
  ],
  [
    'a dispatched action ended otherwise than it can',
    'stuck',
    /the action act_\w+ is dead/,
    (e) => changed(e, actionOf(e, 'w-plain', 'direct'), { status: 'dead' }),
  ],
  [
    'an event waits',
    'stuck',
    /w-order has not taken/,
    (e) => ({ ...e, inbox: e.inbox.map((row) => ({ ...row, isApplied: false })) }),
  ],
  [
    'a timer is left',
    'stuck',
    /w-order waits for t/,
    (e) => ({ ...e, timers: [{ execution: 'w-order', key: 't' }] }),
  ],
]

const STALE: readonly Plant[] = [
  [
    'a claim is ended by two processes',
    'stale',
    /the claim act_\w+ 1 was ended twice/,
    (e) => ({ ...e, endings: [...e.endings, e.endings.find(({ status }) => status === 'ok')!] }),
  ],
]

/** Of the recurrence that fired twice. */
const OCCURRENCES: readonly Plant[] = [
  [
    'an occurrence has no row',
    'lost',
    /w-recur: 1 occurrences/,
    (e) => ({ ...e, occurrences: e.occurrences.slice(1) }),
  ],
  [
    'an occurrence is passed over',
    'lost',
    /w-recur: \d+ is told, and \d+ before it is not/,
    (e) => ({ ...e, occurrences: e.occurrences.map((row, n) => ({ ...row, at: row.at + n * 1000 })) }),
  ],
  [
    'an occurrence fired without its action',
    'lost',
    /the action of w-recur\/\d{4}-/,
    (e) => ({ ...e, occurrences: e.occurrences.map((row) => ({ ...row, action: 'act_other' })) }),
  ],
  [
    'an occurrence too many',
    'doubled',
    /w-recur\/\S+ fired after the end/,
    (e) => ({
      ...e,
      occurrences: [...e.occurrences, { ...e.occurrences[0]!, at: e.occurrences[0]!.at + 2000 }],
    }),
  ],
  [
    'an occurrence is told twice',
    'doubled',
    /w-recur tells of \d+ twice/,
    (e) => forged(e, 'w-recur', (lines) => [...lines, lines.find(({ data }) => data['occurrences'])!]),
  ],
  [
    'an occurrence is not told',
    'lost',
    /w-recur tells of 0 of 2/,
    (e) => forged(e, 'w-recur', (lines) => lines.filter(({ data }) => !data['occurrences'])),
  ],
]

const FINDINGS = ({ lost, doubled, stuck, stale }: Verdict) => [...lost, ...doubled, ...stuck, ...stale]

describe('the judge', () => {
  it('finds nothing in a run without faults', () => {
    const verdict = judge(sound)
    expect(FINDINGS(verdict)).toEqual([])
    expect(verdict).toMatchObject({ effects: 11, duplicatesSameKey: 0, reviews: 0, poisoned: 0, reaps: 0 })
    expect(sound.endings.length).toBeGreaterThanOrEqual(11)
  })

  it.each([...LOST, ...DOUBLED, ...STUCK, ...STALE, ...OCCURRENCES])('%s: %s', (_, field, words, plant) => {
    expect(judge(plant(sound))[field]).toContainEqual(expect.stringMatching(words))
  })

  it('counts a repeated call with the same key and bytes, and allows it', () => {
    const verdict = judge({ ...sound, calls: [...sound.calls, callOf(sound, 'ship')] })
    expect([FINDINGS(verdict), verdict.duplicatesSameKey]).toEqual([[], 1])
  })

  it('allows an end for want of a process only with the action that was lost over it', () => {
    const stuck = {
      ...sound,
      executions: sound.executions.map((row) => (row.id === 'w-order' ? { ...row, state: 'stuck' } : row)),
    }
    const poisoned = { status: 'dead', reaps: 5 }
    const action = actionOf(sound, 'w-order', 'bill')
    expect(judge(changed(stuck, action, poisoned)).stuck).toEqual([])
    expect(judge(changed(stuck, action, { ...poisoned, reaps: 4 })).stuck).toHaveLength(1)
  })

  it('a claim refused is no second end', () => {
    const fenced = { ...sound.endings[0]!, status: 'fenced' }
    expect(judge({ ...sound, endings: [...sound.endings, fenced] }).stale).toEqual([])
  })
})
