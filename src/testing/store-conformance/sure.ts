// What the engine says it knows (an id was drawn, an execution had this status at that revision) saves a store the looking.
// It changes nothing of what comes of a commit, also when it is not so.

import type { Advance, Member, NewAction } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, same, sound } from './check.ts'
import {
  action,
  advance,
  entry,
  event,
  execution,
  LEASE_MS,
  NOW,
  OF,
  settled,
  step,
  timer,
} from './members.ts'

const CLAIM = { worker: 'w7', nonce: 'n7', leaseMs: 60_000 }

const drawn = (id: string): NewAction => ({ ...action(id), isDrawn: true })
const begun = (id: string, over: Partial<Advance> = {}): Advance => advance(id, { isDrawn: true, ...over })
const fired = (key: string) => ({ event: timer(key).event, from: 'timer' as const })
const fromInbox = (id: string) => ({ event: event(id), from: 'inbox' as const })
const fromOutside = (id: string) => ({ event: event(id), from: 'outside' as const })

/** The next step of an execution, as the engine says it. */
const next = async ({ execution: read }: Bed, id: string, over: Partial<Advance> = {}): Promise<Advance> => {
  const { execution: before, revision, chain } = await read(id)
  return advance(id, { execution: before, was: before.status, expected: revision, chain, ...over })
}

/** Between two that are sure of themselves and right. */
const amid = async ({ store, action: read }: Bed, member: Partial<Member>) => {
  const of = { ...OF, at: NOW, lease: NOW }
  const [before, result, after] = await store.commit([
    { ...of, enqueue: [drawn('before')] },
    { ...of, ...member },
    { ...of, enqueue: [drawn('after')] },
  ])
  same([before!.status, after!.status], ['ok', 'ok'], 'those beside it')
  for (const id of ['before', 'after']) has(await read(id), { status: 'queued' }, id)
  return result!
}

const losing = (name: string, expected: object, make: (bed: Bed) => Promise<Partial<Member>>): Case => ({
  name: `sure: ${name}, and those beside it are written`,
  run: async (bed) => {
    has(await amid(bed, await make(bed)), expected, 'the result')
  },
})

const LOSERS: readonly Case[] = [
  losing('a claim that holds no more is fenced', { status: 'fenced' }, async ({ claimed, settle }) => {
    const claim = await claimed('a')
    await settle(claim)
    return { settle: [settled(claim)], record: [{ type: 'noted', at: NOW, data: {} }] }
  }),
  losing(
    'a claim of another nonce is fenced before a move that is too late is a conflict',
    { status: 'fenced' },
    async (bed) => {
      await bed.start('e')
      const late = await next(bed, 'e')
      await bed.step('e')
      const claim = await bed.claimed('a')
      return { settle: [settled({ ...claim, nonce: 'other' })], advance: late }
    },
  ),
  losing('a move that is too late is a conflict', { status: 'conflict', subject: 'e' }, async (bed) => {
    await bed.start('e')
    const late = await next(bed, 'e', { actions: [step('x')], history: [entry('late')] })
    await bed.step('e')
    return { advance: late }
  }),
  losing('a move of what is paused by now is a conflict', { status: 'conflict' }, async (bed) => {
    await bed.start('e')
    const late = await next(bed, 'e')
    await bed.control({ kind: 'pause', scope: 'execution', value: 'e', reason: 'quiet' })
    return { advance: late }
  }),
  losing('a move of what is not there is a conflict', { status: 'conflict' }, async () => ({
    advance: advance('nobody', { expected: 1, was: 'active' }),
  })),
  losing('a timer that has fired is a duplicate', { status: 'duplicate' }, async (bed) => {
    await bed.start('e', { timers: [timer('t')] })
    await bed.step('e', { consume: [fired('t')] })
    return { advance: await next(bed, 'e', { consume: [fired('t')] }) }
  }),
  losing(
    'one that fires too late and is armed again is a duplicate',
    { status: 'duplicate' },
    async (bed) => {
      await bed.start('e', { timers: [timer('t')] })
      await bed.step('e', { consume: [fired('t')] })
      return { advance: await next(bed, 'e', { consume: [fired('t')], timers: [timer('t', NOW + 9)] }) }
    },
  ),
  losing('an event that was applied is a duplicate', { status: 'duplicate', subject: 'v' }, async (bed) => {
    await bed.start('e')
    await bed.ok({ deliver: [{ execution: 'e', event: event('v') }] })
    await bed.step('e', { consume: [fromInbox('v')] })
    return { advance: await next(bed, 'e', { consume: [fromInbox('v')] }) }
  }),
  losing('an event that never waited is a duplicate', { status: 'duplicate' }, async (bed) => {
    await bed.start('e')
    return { advance: await next(bed, 'e', { consume: [fromInbox('v')] }) }
  }),
  losing('an event from outside that is known is a duplicate', { status: 'duplicate' }, async (bed) => {
    await bed.start('e')
    await bed.step('e', { consume: [fromOutside('v')] })
    return { advance: await next(bed, 'e', { consume: [fromOutside('v')] }) }
  }),
  losing('what raises an event that is known is a duplicate', { status: 'duplicate' }, async (bed) => {
    await bed.start('e')
    await bed.ok({ deliver: [{ execution: 'e', event: event('v') }] })
    return { advance: await next(bed, 'e'), deliver: [{ execution: 'e', event: event('v') }] }
  }),
  losing('a start that was there is a duplicate', { status: 'duplicate', subject: 'e' }, async (bed) => {
    await bed.start('e')
    return { advance: begun('e') }
  }),
  losing('a start of other input is a conflict', { status: 'conflict', subject: 'e' }, async (bed) => {
    await bed.start('e')
    return { advance: begun('e', { inputHash: 'other' }) }
  }),
  losing('what cannot be written is refused', { status: 'refused' }, async () => ({ enqueue: [drawn('')] })),
]

const MANY = 450
const many = (mark: string): readonly NewAction[] =>
  Array.from({ length: MANY }, (_, n) => ({
    ...drawn(`${mark}${String(n).padStart(3, '0')}`),
    ...(n % 150 === 149 && { claim: CLAIM }),
  }))
const firstOf = (actions: readonly NewAction[]): readonly NewAction[] => actions.slice(0, -1)

const MASSES: readonly Case[] = [
  {
    name: 'sure: many in one member are all there, counted, and those claimed are told in order',
    run: async ({ ok, reader, action: read }) => {
      const { claimed } = await ok({ enqueue: many('a') })
      same(
        claimed?.map(({ id }) => id),
        ['a149', 'a299', 'a449'],
        'claimed',
      )
      same((await reader.counts(OF)).actions.queued, MANY - 3, 'queued')
      same((await reader.counts(OF)).actions.running, 3, 'running')
      for (const id of ['a000', 'a200', 'a448']) has(await read(id), { status: 'queued', attempt: 0 }, id)
    },
  },
  {
    name: 'sure: many in one member, of which the last exists: none is there',
    run: async ({ ok, commit, reader }) => {
      await ok({ enqueue: [drawn('z')] })
      const result = await commit({ enqueue: [...firstOf(many('a')), drawn('z')] })
      same(result.status, 'refused', 'the result')
      same((await reader.counts(OF)).actions.queued, 1, 'queued')
      same((await reader.counts(OF)).actions.running, 0, 'running')
      await ok({ enqueue: many('a') })
    },
  },
  {
    name: 'sure: many in one member, while their type is paused: all wait, and none is claimed',
    run: async ({ ok, control, reader, claim }) => {
      await control({ kind: 'pause', scope: 'type', value: 'notify', reason: 'quiet' })
      same((await ok({ enqueue: many('a') })).claimed, undefined, 'claimed')
      same((await reader.counts(OF)).actions.queued, MANY, 'queued')
      await control({ kind: 'resume', scope: 'type', value: 'notify' })
      same((await claim()).length > 0, true, 'to claim after that')
    },
  },
]

export const sureCases: readonly Case[] = [
  ...MASSES,
  ...LOSERS,
  {
    name: 'sure: a drawn id that was there is not written over, and those beside it are written',
    run: async (bed) => {
      await bed.enqueue(action('a', { name: 'first' }))
      const { status } = await amid(bed, { enqueue: [drawn('a')] })
      isTrue(status !== 'ok', 'it is told')
      has((await bed.action('a')).plan, { name: 'first' }, 'the first')
    },
  },
  {
    name: 'sure: a step that settles, consumes, cancels, arms, raises and asks is written whole',
    run: async (bed) => {
      const { ok, store, claimed, reader, execution: read, action: row } = bed
      const timers = ['fires', 'left', 'stays'].map((key) => timer(key))
      await ok({ advance: begun('e', { timers, history: [entry('signed')] }) })
      await ok({ deliver: [{ execution: 'e', event: event('waits') }] })
      const claim = await claimed('a')
      const advance = await next(bed, 'e', {
        execution: execution('e', { state: 'noticed', status: 'waiting' }),
        consume: [fired('fires'), fromInbox('waits'), fromOutside('came')],
        cancel: { timers: ['left', 'never'], actions: [] },
        timers: [timer('armed', NOW + 9)],
        actions: [step('x'), { ...step('y'), claim: CLAIM }],
        history: [entry('noticed')],
      })
      const deliver = [{ execution: 'e', event: event('raised') }]
      const result = await ok({ settle: [settled(claim)], advance, deliver })
      same(
        result.claimed?.map(({ id }) => id),
        ['y'],
        'claimed',
      )
      const after = await read('e')
      has(after, { revision: 2, chain: result.chain, createdAt: NOW }, 'the execution')
      has(after.execution, { state: 'noticed', status: 'waiting' }, 'the execution')
      has(await row('a'), { status: 'succeeded' }, 'settled')
      has(await row('x'), { status: 'queued', execution: 'e' }, 'queued')
      has(await row('y'), { status: 'running', worker: 'w7', leaseUntil: NOW + CLAIM.leaseMs }, 'claimed')
      const armed = sound(await store.dueTimers(9, { now: NOW + 9 })).map((one) => one.timer.key)
      same(armed, ['stays', 'armed'], 'timers')
      same(
        sound(await store.inbox(['lease'], 9)).map((one) => one.event.id),
        ['raised'],
        'inbox',
      )
      same((await reader.history(OF, 'e', { limit: 9 })).data.length, 2, 'history')
    },
  },
  {
    name: 'sure: several steps of one execution in a batch follow each other, from its beginning on',
    run: async ({ store, execution: read }) => {
      const of = { ...OF, at: NOW }
      const first = begun('e', { history: [entry('one')] })
      const [start] = await store.commit([{ ...of, advance: first }])
      const second = advance('e', { expected: 1, was: 'active', chain: start!.chain! })
      const third = advance('e', {
        expected: 2,
        was: 'active',
        chain: start!.chain!,
        history: [entry('two')],
      })
      const results = await store.commit([
        { ...of, advance: second },
        { ...of, advance: third },
        { ...of, advance: begun('f') },
        { ...of, advance: advance('f', { expected: 1, was: 'active' }) },
      ])
      same(
        results.map(({ status, revision }) => [status, revision]),
        [
          ['ok', 2],
          ['ok', 3],
          ['ok', 1],
          ['ok', 2],
        ],
        'results',
      )
      has(await read('e'), { revision: 3 }, 'the first')
      has(await read('f'), { revision: 2 }, 'the second')
    },
  },
  {
    name: 'sure: a status that was another is not counted as what it was taken for',
    run: async ({ start, step: move, reader, execution: read }) => {
      await start('e')
      const execution = { ...(await read('e')).execution, status: 'completed' as const }
      has(await move('e', { was: 'waiting', execution }), { status: 'ok', revision: 2 }, 'the step')
      const { executions } = await reader.counts(OF)
      has(executions, { active: 0, waiting: 0, completed: 1 }, 'counts')
    },
  },
  {
    name: 'sure: what begins while its definition is paused begins paused, each time, until it is resumed',
    run: async ({ ok, control, execution: read, another }) => {
      const began = async (id: string): Promise<string> => {
        await ok({ advance: begun(id, { actions: [{ ...step(`of ${id}`), claim: CLAIM }] }) })
        return (await read(id)).execution.status
      }
      const elsewhere = (await another()).store
      const turn = (kind: 'pause' | 'resume') => {
        const of = { scope: 'definition', value: 'lease' } as const
        return elsewhere.commit([
          {
            ...OF,
            at: NOW,
            control: [kind === 'pause' ? { kind, ...of, reason: 'quiet' } : { kind, ...of }],
          },
        ])
      }
      const several = async (name: string): Promise<readonly string[]> => {
        const found: string[] = []
        for (let n = 0; n < 12; n += 1) found.push(await began(`${name}${n}`))
        return [...new Set(found)]
      }
      same(await several('a'), ['active'], 'before')
      await turn('pause')
      same(await several('b'), ['paused'], 'paused')
      await turn('resume')
      same(await several('c'), ['active'], 'resumed')
      await control({ kind: 'pause', scope: 'definition', value: 'lease', reason: 'quiet' })
      same(await several('d'), ['paused'], 'paused here')
    },
  },
  {
    name: 'sure: what another process has paused is not claimed at birth, each time, until it is resumed',
    run: async ({ ok, another }) => {
      const elsewhere = (await another()).store
      let births = 0
      const claimed = async (): Promise<readonly boolean[]> => {
        const found: boolean[] = []
        for (let n = 0; n < 12; n += 1) {
          births += 1
          const { claimed } = await ok({ enqueue: [{ ...drawn(`a${births}`), claim: CLAIM }] })
          found.push(claimed !== undefined)
        }
        return [...new Set(found)]
      }
      const type = { scope: 'type', value: 'notify' } as const
      same(await claimed(), [true], 'before')
      await elsewhere.commit([{ ...OF, at: NOW, control: [{ kind: 'pause', ...type, reason: 'quiet' }] }])
      same(await claimed(), [false], 'paused')
      await elsewhere.commit([{ ...OF, at: NOW, control: [{ kind: 'resume', ...type }] }])
      same(await claimed(), [true], 'resumed')
    },
  },
  {
    name: 'sure: a claim at birth runs from when it is written, by the clock of the database',
    run: async ({ store, action: read, enqueue, claim }) => {
      const born = (id: string, leaseMs: number): NewAction => ({
        ...drawn(id),
        claim: { ...CLAIM, leaseMs },
      })
      await store.commit([{ ...OF, at: NOW, enqueue: [born('long', 3_600_000), born('short', -1)] }])
      same(
        sound(await store.reap(9, {})).map(({ id }) => id),
        ['short'],
        'run out',
      )
      const [long, short] = [await read('long'), await read('short')]
      same(long.leaseUntil! - short.leaseUntil!, 3_600_001, 'between them')
      await enqueue('plain')
      const [plain] = await claim('plain', { now: NOW })
      const apart = long.leaseUntil! - 3_600_000 - (plain!.leaseUntil - LEASE_MS)
      isTrue(Math.abs(apart) < 600_000, 'the clock is that of any claim')
    },
  },
]
