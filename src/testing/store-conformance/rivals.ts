// Two processes that want the same at the same time: one wins, the other is told, every time. What one of them reads
// before the other commits must not decide.

import type { Member, Result } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, advance, entry, event, NOW, OF, settled } from './members.ts'
import { change } from './triage-bulk.ts'

const ROUNDS = 12
const rounds = Array.from({ length: ROUNDS }, (_, n) => n)

/** The same member by both at once, in every round; the answers of each round, sorted. */
const rival = async (
  bed: Bed,
  memberOf: (round: number) => Partial<Member>,
  before: (round: number) => Promise<unknown> = async () => undefined,
): Promise<readonly (readonly Result[])[]> => {
  const { store: other } = await bed.another()
  const answers: (readonly Result[])[] = []
  for (const round of rounds) {
    await before(round)
    const member = { ...OF, at: NOW, lease: NOW, ...memberOf(round) }
    const both = await Promise.all([bed.store.commit([member]), other.commit([member])])
    answers.push(both.flat().toSorted((a, b) => (a.status < b.status ? 1 : -1)))
  }
  return answers
}

const statuses = (answers: readonly (readonly Result[])[]) =>
  answers.map((both) => both.map(({ status }) => status).join(' '))
const every = (answer: string): readonly string[] => rounds.map(() => answer)

export const rivalCases: readonly Case[] = [
  {
    name: 'rivals: of two steps on one revision one is applied, the other conflicts',
    run: async (bed) => {
      let { chain } = await bed.start('e')
      const answers = await rival(
        bed,
        (round) => ({
          advance: advance('e', { expected: round + 1, chain: chain!, history: [entry(`s${round}`)] }),
        }),
        async () => {
          chain = (await bed.execution('e')).chain
        },
      )
      same(statuses(answers), every('ok conflict'), 'answers')
      has(await bed.execution('e'), { revision: ROUNDS + 1 }, 'the execution')
    },
  },
  {
    name: 'rivals: of two starts of one execution one is applied, the other is a duplicate',
    run: async (bed) => {
      const answers = await rival(bed, (round) => ({ advance: advance(`e${round}`, { inputHash: 'i' }) }))
      same(statuses(answers), every('ok duplicate'), 'answers')
    },
  },
  {
    name: 'rivals: of two deliveries of one event one waits, the other is a duplicate',
    run: async (bed) => {
      await bed.start('e')
      const answers = await rival(bed, (round) => ({
        deliver: [{ execution: 'e', event: event(`v${round}`) }],
      }))
      same(statuses(answers), every('ok duplicate'), 'answers')
      same((await bed.store.inbox(['lease'], 99)).length, ROUNDS, 'the inbox')
    },
  },
  {
    name: 'rivals: of two inserts of one action one is applied, the other is a duplicate',
    run: async (bed) => {
      const answers = await rival(bed, (round) => ({ enqueue: [action(`a${round}`, { type: `t${round}` })] }))
      same(statuses(answers), every('ok duplicate'), 'answers')
      same((await bed.claim()).length, ROUNDS, 'claimed')
    },
  },
  {
    name: 'rivals: of two actions with one dedup key one is inserted, and stands for the other',
    run: async (bed) => {
      const { store: other } = await bed.another()
      for (const round of rounds) {
        const member = (id: string): Member => ({
          ...OF,
          at: NOW,
          enqueue: [action(`${id}${round}`, { dedup: { key: `k${round}` } })],
        })
        const both = await Promise.all([bed.store.commit([member('a')]), other.commit([member('b')])])
        const told = both.flat().flatMap(({ deduplicated }) => deduplicated ?? [])
        same(told.length, 1, `deduplicated in round ${round}`)
        has(await bed.action(told[0]!.existing), { status: 'queued' }, 'the one that stands for it')
        same((await bed.reader.action(OF, told[0]!.id)) ?? null, null, 'the other')
      }
    },
  },
  {
    name: 'rivals: of two settlements of one claim one is applied, the other is fenced',
    run: async (bed) => {
      await bed.enqueue(...rounds.map((round) => `a${String(round).padStart(2, '0')}`))
      const claims = await bed.claim()
      const answers = await rival(bed, (round) => ({ settle: [settled(claims[round]!)] }))
      same(statuses(answers), every('ok fenced'), 'answers')
    },
  },
  {
    name: 'rivals: two who define one content get one version',
    run: async (bed) => {
      const answers = await rival(bed, (round) => ({
        control: [
          {
            kind: 'define',
            definition: { kind: 'machine', id: 'lease', hash: `h${round}`, content: { round } },
          },
        ],
      }))
      same(
        answers.map((both) => both.map(({ version }) => version)),
        rounds.map((round) => [round + 1, round + 1]),
        'versions',
      )
    },
  },
  {
    name: 'rivals: two who define two contents get two versions, two who use a new type get one lane',
    run: async (bed) => {
      const { store: other } = await bed.another()
      const define = (hash: string) => ({
        kind: 'define' as const,
        definition: { kind: 'machine' as const, id: 'lease', hash, content: {} },
      })
      for (const round of rounds) {
        const member = (who: string): Member => ({
          ...OF,
          at: NOW,
          control: [define(`${who}${round}`)],
          enqueue: [action(`${who}${round}`, { type: `t${round}` })],
        })
        const both = await Promise.all([bed.store.commit([member('a')]), other.commit([member('b')])])
        same(
          both
            .flat()
            .map(({ version }) => version)
            .toSorted(),
          [2 * round + 1, 2 * round + 2].toSorted(),
          `versions of round ${round}`,
        )
      }
      const lanes = (await bed.store.heads({ now: NOW })).map(({ type, due }) => `${type} ${due}`)
      same(lanes.toSorted(), rounds.map((round) => `t${round} 2`).toSorted(), 'lanes')
    },
  },
  {
    name: 'rivals: an alert that two raise at once is counted twice, an operation that two begin is begun once',
    run: async (bed) => {
      const alert = { type: 'action_failed', severity: 'high', cause: 'c', details: {} } as const
      const raised = await rival(bed, (round) => ({
        control: [{ kind: 'alert_raise', alert: { ...alert, id: `a${round}` } }],
      }))
      same(statuses(raised), every('ok ok'), 'alerts')
      for (const round of rounds)
        same((await bed.triage.alert(OF, `a${round}`))?.count, 2, 'how often it was met')
      const begun = await rival(bed, (round) => ({ control: [change(`b${round}`, 0)] }))
      same(statuses(begun), every('ok conflict'), 'operations')
    },
  },
  {
    name: 'rivals: of two pauses of one execution one is applied, the other conflicts',
    run: async (bed) => {
      for (const round of rounds) await bed.start(`e${round}`)
      const answers = await rival(bed, (round) => ({
        control: [{ kind: 'pause', scope: 'execution', value: `e${round}`, reason: 'r' }],
      }))
      same(statuses(answers), every('ok conflict'), 'answers')
    },
  },
]
