// Random verbs, each done to a store and to the model. What the store answers must be what the model answers, and in the
// end both must look the same. Members are gathered into batches of a drawn size: one after the other or all at once, the
// answers are the same (P1).

import fc from 'fast-check'
import type { ExecutionStatus } from '../../src/core/execution.ts'
import { type ChainHead, chainStart, extendChain } from '../../src/core/history.ts'
import { canonical } from '../../src/core/json.ts'
import type { ClaimedAction, Control, Member, Result } from '../../src/store/store.ts'
import { type Bed, makeBed, type Opened } from '../../src/testing/store-conformance/bed.ts'
import { same, sound } from '../../src/testing/store-conformance/check.ts'
import { everyRow } from '../../src/testing/store-conformance/conserve.ts'
import {
  action,
  advance,
  ERROR,
  entry,
  event,
  execution,
  NOW,
  OF,
  settled,
  timer,
} from '../../src/testing/store-conformance/members.ts'
import { createModel, KEY_MS, type Model, type ModelStep, RETRY_MS, unapplied } from './model.ts'

const LEASE = 1000
const EXECUTIONS = ['e0', 'e1', 'e2']
const definitionOf = (id: string): string => (id === 'e2' ? 'visa' : 'lease')

const pick = fc.nat(999)
const id = fc.constantFrom(...EXECUTIONS)
const type = fc.constantFrom('mail', 'sms')
const eventId = fc.constantFrom('v0', 'v1', 'v2')
const scope = fc.oneof(
  fc.tuple(fc.constant('execution' as const), id),
  fc.tuple(fc.constant('definition' as const), fc.constantFrom('lease', 'visa')),
  fc.tuple(fc.constant('type' as const), type),
  fc.tuple(fc.constant('tenant' as const), fc.constant('acme')),
)
const CONTROLS = ['cancel_action', 'run_now', 'retry_dead', 'archive_dead', 'resolve_review'] as const
const ENDS = ['succeeded', 'queued', 'dead', 'review', 'cancelled', 'skipped'] as const

export const verbs = fc.array(
  fc.oneof(
    fc.record({ verb: fc.constant('start'), id, type, count: fc.nat(2) }),
    fc.record({
      verb: fc.constant('step'),
      id,
      from: fc.constantFrom('outside', 'outside', 'inbox', 'timer'),
      event: eventId,
      arm: fc.option(fc.nat(2000), { nil: undefined }),
      cancels: fc.boolean(),
      ends: fc.constantFrom(false, false, false, true),
      turns: fc.constantFrom('stays', 'stays', 'fails', 'revives'),
      isStale: fc.constantFrom(false, false, false, true),
    }),
    fc.record({ verb: fc.constant('deliver'), id, event: eventId }),
    fc.record({
      verb: fc.constant('enqueue'),
      type,
      key: fc.option(fc.record({ name: fc.constantFrom('k0', 'k1'), isTimed: fc.boolean() }), {
        nil: undefined,
      }),
      delay: fc.constantFrom(0, 0, 300),
    }),
    fc.record({ verb: fc.constant('claim'), n: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ verb: fc.constant('settle'), pick, end: fc.constantFrom(...ENDS), isReaping: fc.boolean() }),
    fc.record({ verb: fc.constant('extend') }),
    fc.record({ verb: fc.constant('reap') }),
    fc.record({ verb: fc.constant('control'), kind: fc.constantFrom(...CONTROLS), pick }),
    fc.record({ verb: fc.constant('pause'), scope }),
    fc.record({ verb: fc.constant('resume'), scope }),
    fc.record({ verb: fc.constant('wait'), ms: fc.constantFrom(1, 100, KEY_MS, LEASE) }),
  ),
  { minLength: 10, maxLength: 80, size: 'max' },
)
type Verb = typeof verbs extends fc.Arbitrary<(infer V)[]> ? V : never
type Of<Name extends string> = Extract<Verb, { verb: Name }>

interface Submitted {
  readonly member: Member
  readonly expected: Partial<Result>
  readonly what: string
}

interface Run {
  readonly bed: Bed
  readonly model: Model
  readonly batch: number
  now: number
  drawn: number
  /** Every claim ever made: old ones must be fenced. */
  readonly claims: ClaimedAction[]
  readonly chains: Map<string, ChainHead>
  /** Told to the model, not yet to the store. */
  submitted: readonly Submitted[]
}

const draw = (run: Run): string => `a${String(run.drawn++).padStart(3, '0')}`
const told = ({ status, subject, deduplicated }: Partial<Result>): object => ({
  status,
  subject,
  deduplicated,
})

const flush = async (run: Run): Promise<void> => {
  const { submitted } = run
  run.submitted = []
  const results = await run.bed.store.commit(submitted.map(({ member }) => member))
  for (const [index, { expected, what }] of submitted.entries())
    same(told(results[index]!), told(expected), what)
}

const submit = async (
  run: Run,
  member: Partial<Member>,
  expected: Partial<Result>,
  what: string,
): Promise<void> => {
  run.submitted = [
    ...run.submitted,
    { member: { ...OF, at: run.now, lease: run.now, ...member }, expected, what },
  ]
  if (run.submitted.length >= run.batch) await flush(run)
}

/** One line of history for a member that wins, and the chain it goes on from. */
const written = (run: Run, of: string, to: string, { status }: Partial<Result>) => {
  const chain = run.chains.get(of) ?? chainStart(OF.namespace, OF.tenant, of)
  const history = [entry(to, run.now)]
  const { number, hash } = extendChain(chain, history).at(-1)!
  if (status === 'ok') run.chains.set(of, { number, hash })
  return { chain, history }
}

const doStart = (run: Run, { id: of, type: kind, count }: Of<'start'>): Promise<void> => {
  const ids = Array.from({ length: count }, () => draw(run))
  const actions = ids.map((one) => action(one, { type: kind, stepKey: one, dueAt: run.now }))
  const begun = execution(of, { definition: definitionOf(of) })
  const expected = run.model.start(of, definitionOf(of), ids, kind, run.now)
  const line = written(run, of, 'started', expected)
  return submit(
    run,
    { advance: advance(of, { execution: begun, actions, ...line }) },
    expected,
    `start ${of}`,
  )
}

const doStep = (run: Run, step: Of<'step'>): Promise<void> => {
  const { model, now } = run
  const known = model.executions.get(step.id)
  const expected = step.isStale || known === undefined ? 77 : known.revision
  const from = step.from as ModelStep['from']
  const arm = step.arm === undefined ? undefined : now + step.arm
  const own = [...model.actions].filter(([, row]) => row.execution === step.id).map(([one]) => one)
  const { cancels, ends } = step
  const turns = step.turns as ModelStep['turns']
  const status = known === undefined ? 'active' : model.nextOf(known, { ends, turns })
  const plain = { from, event: step.event, timer: 't', cancels, ends, turns, status }
  const asked = { ...plain, ...(arm !== undefined && { arm }) }
  const answer = model.step(step.id, expected, asked)
  const moved = advance(step.id, {
    ...written(run, step.id, step.event, answer),
    execution: execution(step.id, { definition: definitionOf(step.id), status: status as ExecutionStatus }),
    expected,
    consume: [{ event: from === 'timer' ? event('t', { timer: 't' }) : event(step.event), from }],
    timers: arm === undefined ? [] : [timer('t', arm)],
    cancel: { timers: [], actions: step.cancels ? own : [] },
  })
  return submit(run, { advance: moved }, answer, `step ${JSON.stringify(step)}`)
}

const doEnqueue = (run: Run, { type: kind, key, delay }: Of<'enqueue'>): Promise<void> => {
  const one = draw(run)
  const dueAt = run.now + delay
  const dedup = key && { key: key.name, ...(key.isTimed && { forMs: KEY_MS }) }
  const enqueue = [action(one, { type: kind, dueAt, ...(dedup && { dedup }) })]
  return submit(run, { enqueue }, run.model.enqueue(one, kind, key, dueAt, run.now), `enqueue ${one}`)
}

const doClaim = async (run: Run, { n }: Of<'claim'>): Promise<void> => {
  await flush(run)
  const { bed, model, now } = run
  // By type, because the numbers of lanes differ from store to store.
  const heads = (await bed.store.heads({ now })).toSorted((a, b) => (a.type < b.type ? -1 : 1))
  same(
    heads.map(({ type: kind, dueAt, due, paused }) => ({ type: kind, dueAt, due, paused })),
    model.heads(now),
    'heads',
  )
  const open = heads.filter(({ paused }) => !paused)
  const nonce = `n${run.drawn++}`
  const shares = open.map(({ lane }) => ({ lane, n }))
  const request = { shares, batch: 100, worker: 'w1', nonce, leaseMs: LEASE, byteBudget: 10 ** 7 }
  const claimed = sound(await bed.store.claim({ ...request, now, lease: now }))
  const expected = model.claim(
    open.map((head) => head.type),
    n,
    nonce,
    now,
    LEASE,
  )
  same(
    claimed.map((one) => one.id),
    expected,
    'claim',
  )
  run.claims.push(...claimed)
}

const doSettle = async (run: Run, { pick: at, end, isReaping }: Of<'settle'>): Promise<void> => {
  const claim = run.claims[at % run.claims.length]
  if (claim === undefined) return
  const attempt = claim.attempt + 1
  const dueAt = run.now + RETRY_MS
  const more = {
    attempt,
    fingerprint: end,
    endedAt: run.now,
    ...(isReaping && { onlyIfExpired: true as const }),
  }
  const detail = end === 'succeeded' ? { result: { at } } : { error: { ...ERROR, message: `${end} ${at}` } }
  const settle = [settled(claim, { status: end, ...detail, ...(end === 'queued' && { dueAt }) }, more)]
  const expected = run.model.settle(claim, end, attempt, run.now, isReaping ? run.now : undefined)
  await submit(run, { settle }, expected, `settle ${claim.id} ${end}`)
}

const doExtend = async (run: Run): Promise<void> => {
  await flush(run)
  const { bed, model, claims, now } = run
  const extended = await bed.store.extend(claims, LEASE, { lease: now })
  same(extended, model.extend(claims, now + LEASE), 'extend')
}

const doControl = (run: Run, { kind, pick: at }: Of<'control'>): Promise<void> => {
  const one = `a${String(at % (run.drawn + 1)).padStart(3, '0')}`
  const shared = { id: one, reason: 'r', dueAt: run.now }
  const control = (
    kind === 'resolve_review' ? { kind, id: one, status: 'succeeded' } : { kind, ...shared }
  ) as Control
  return submit(run, { control: [control] }, run.model.control(kind, one, run.now), `${kind} ${one}`)
}

const DO: { readonly [Name in Verb['verb']]?: (run: Run, verb: never) => Promise<void> } = {
  start: doStart,
  step: doStep,
  enqueue: doEnqueue,
  claim: doClaim,
  settle: doSettle,
  extend: doExtend,
  control: doControl,
  deliver: (run: Run, { id: of, event: one }: Of<'deliver'>) => {
    const deliver = [{ execution: of, event: event(one) }]
    return submit(run, { deliver }, run.model.deliver(of, one), `deliver ${of} ${one}`)
  },
  reap: async (run: Run) => {
    await flush(run)
    const reaped = await run.bed.store.reap(100, { lease: run.now })
    same(reaped.map((one) => one.id).sort(), run.model.expired(run.now).sort(), 'reap')
  },
  pause: (run: Run, { scope: [of, value] }: Of<'pause'>) => {
    const control = [{ kind: 'pause', scope: of, value, reason: 'r' }] as const
    return submit(run, { control }, run.model.pause(of, value), `pause ${of} ${value}`)
  },
  resume: (run: Run, { scope: [of, value] }: Of<'resume'>) => {
    const control = [{ kind: 'resume', scope: of, value }] as const
    return submit(run, { control }, run.model.resume(of, value), `resume ${of} ${value}`)
  },
  wait: async (run: Run, { ms }: Of<'wait'>) => {
    run.now += ms
  },
}

const compare = async ({ bed, model, now }: Run): Promise<void> => {
  const rows = await everyRow((page) => bed.reader.actions(OF, {}, page))
  const shown = rows.map((row) => ({
    id: row.id,
    status: row.status,
    dueAt: row.dueAt,
    attempt: row.attempt,
    cancelRequested: row.status === 'running' && row.cancelRequested,
    isArchived: row.archivedAt !== undefined,
  }))
  const expected = [...model.actions].map(([one, row]) => ({
    id: one,
    status: row.status,
    dueAt: row.dueAt,
    attempt: row.attempt,
    cancelRequested: row.status === 'running' && row.cancelRequested,
    isArchived: row.isArchived,
  }))
  same(shown, expected.toReversed(), 'actions')
  const loaded = sound(await bed.store.load([...model.executions.keys()].map((one) => ({ ...OF, id: one }))))
  same(
    loaded.map((row) => `${row.execution.id} ${row.execution.status} ${row.revision} ${row.waiting}`).sort(),
    [...model.executions]
      .map(([one, row]) => `${one} ${model.statusOf(row)} ${row.revision} ${unapplied(row).length > 0}`)
      .sort(),
    'executions',
  )
  for (const [one, row] of model.executions) {
    const rows = sound(await bed.store.waitingFor({ ...OF, id: one }, 99))
    same(
      rows.map((each) => each.event.id),
      unapplied(row),
      `what waits for ${one}`,
    )
  }
  const definitions = await bed.store.waitingDefinitions()
  same(
    definitions.map(({ definition }) => definition).sort(),
    model.waitingDefinitions().toSorted(),
    'definitions',
  )
  const timers = sound(await bed.store.dueTimers(100, { now }))
  same(timers.map((due) => `${due.execution} ${due.timer.key}`).sort(), model.dueTimers(now).sort(), 'timers')
  const waiting = sound(await bed.store.inbox(['lease', 'visa'], 100))
  same(waiting.map((row) => `${row.execution} ${row.event.id}`).sort(), model.waiting().sort(), 'inbox')
}

/** Everything the ports tell of it: equal for two stores that were told the same. */
const portrait = async ({ bed, now }: Run): Promise<string> => {
  await bed.caughtUp()
  const { reader, store } = bed
  const actions = await everyRow((page) => reader.actions(OF, {}, page))
  const executions = await everyRow((page) => reader.executions(OF, {}, page))
  const told = [
    actions,
    await Promise.all(actions.map((row) => reader.attempts(OF, row.id))),
    executions,
    await Promise.all(executions.map((row) => reader.history(OF, row.execution.id, { limit: 250 }))),
    (await reader.pauses(OF)).map((row) => canonical(row)).sort(),
    (await reader.deadGroups(OF, 9)).map((row) => canonical(row)).sort(),
    await reader.counts(OF),
    (await reader.feed(OF, undefined, 250)).map(({ cursor: _, ...row }) => row),
    sound(await store.dueTimers(99, { now: now + 10_000 }))
      .map((row) => canonical(row))
      .sort(),
    sound(await store.inbox(['lease', 'visa'], 99))
      .map(({ seq: _, ...row }) => canonical(row))
      .sort(),
  ]
  return canonical(told)
}

/** Every verb to the store and to the model, in batches of at most so many members. Returns what the store then looks like. */
export const drive = async (opened: Opened, list: readonly Verb[], batch: number): Promise<string> => {
  const bed = makeBed(opened)
  const fresh = { now: NOW, drawn: 0, claims: [], chains: new Map(), submitted: [] }
  const run: Run = { bed, model: createModel(), batch, ...fresh }
  for (const verb of list) await DO[verb.verb]!(run, verb as never)
  await flush(run)
  await compare(run)
  return portrait(run)
}
