// Group commit with folding (src/store/*/{commit,member}.ts; the engine folds): a worker settles what it has finished in one
// batch. Results of one execution are decided in turn and become one member with one advance, which wins or loses whole;
// members of other executions win or lose apart. Leases run out under the batch, another worker takes over, an event from
// outside moves the execution. Three actions: a1 and a2 of one execution, b of another.

import type { Model, Step } from './checker.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Rules {
  /** A member with one fenced settlement is not applied. Else: its other settlements are, and its advance. */
  readonly losesWhole: boolean
  /** A member that loses leaves its neighbours alone. Else: the batch is undone. */
  readonly losesApart: boolean
  readonly checksRevision: boolean
}

const REAL: Rules = { losesWhole: true, losesApart: true, checksRevision: true }

const OWNER = { a1: 'a', a2: 'a', b: 'b' } as const
type Action = keyof typeof OWNER
type Owner = (typeof OWNER)[Action]
const ACTIONS = Object.keys(OWNER) as Action[]
const OWNERS: readonly Owner[] = ['a', 'b']

interface Member {
  readonly owner: Owner
  readonly settles: readonly Action[]
  readonly on: number
  /** The results in the snapshot it would write. */
  readonly log: readonly string[]
}

interface Worker {
  /** Actions whose effect it has performed; that it may crash before is lease.ts's matter. */
  readonly sent: readonly Action[]
  /** Claims that are still its own. */
  readonly holds: readonly Action[]
  readonly batch: readonly Member[] | null
}

interface State {
  readonly actions: Readonly<Record<Action, 'queued' | 'running' | 'succeeded'>>
  readonly executions: Readonly<Record<Owner, { readonly revision: number; readonly log: readonly string[] }>>
  readonly workers: readonly Worker[]
  readonly events: number
  /** Actions whose success reached the store from their holder, in a member that nothing of its own stood against. */
  readonly reported: readonly Action[]
}

const IDLE: Worker = { sent: [], holds: [], batch: null }

const withWorker = (state: State, index: number, worker: Worker): State => ({
  ...state,
  workers: state.workers.with(index, worker),
})

const runSteps = (state: State, index: number, action: Action): Step<State>[] => {
  const worker = state.workers[index]!
  if (worker.sent.includes(action) || state.actions[action] !== 'queued') return []
  const claimed = { ...state, actions: { ...state.actions, [action]: 'running' as const } }
  const sent = [...worker.sent, action].sort()
  const holds = [...worker.holds, action].sort()
  return [
    {
      says: `w${index + 1} claims and sends ${action}`,
      to: withWorker(claimed, index, { ...worker, sent, holds }),
    },
  ]
}

const foldSteps = (state: State, index: number): Step<State>[] => {
  const worker = state.workers[index]!
  const { sent } = worker
  if (sent.length === 0) return []
  const batch = OWNERS.flatMap((owner): readonly Member[] => {
    const settles = sent.filter((action) => OWNER[action] === owner)
    const { revision, log } = state.executions[owner]
    return settles.length === 0 ? [] : [{ owner, settles, on: revision, log: [...log, ...settles] }]
  })
  return [
    { says: `w${index + 1} folds ${sent.join(', ')}`, to: withWorker(state, index, { ...worker, batch }) },
  ]
}

const isFenced = ({ holds }: Worker, { settles }: Member, rules: Rules): boolean => {
  const lost = settles.filter((action) => !holds.includes(action))
  return rules.losesWhole ? lost.length > 0 : lost.length === settles.length
}

const conflicts = (state: State, { owner, on }: Member, rules: Rules): boolean =>
  rules.checksRevision && state.executions[owner].revision !== on

const applied = (state: State, worker: Worker, { owner, settles, on, log }: Member): State => {
  const won = settles.filter((action) => worker.holds.includes(action))
  return {
    ...state,
    actions: { ...state.actions, ...Object.fromEntries(won.map((action) => [action, 'succeeded'])) },
    executions: { ...state.executions, [owner]: { revision: on + 1, log } },
  }
}

/** Settled or fenced, it is no longer the worker's; after a conflict it is decided again. */
const letGo = (worker: Worker, gone: readonly Action[]): Worker => ({
  sent: worker.sent.filter((action) => !gone.includes(action)),
  holds: worker.holds.filter((action) => !gone.includes(action)),
  batch: null,
})

const commitStep = (state: State, index: number, rules: Rules): Step<State> => {
  const worker = state.workers[index]!
  const batch = worker.batch!
  const loses = (member: Member): boolean =>
    isFenced(worker, member, rules) || conflicts(state, member, rules)
  const losers = batch.filter(loses)
  const winners = losers.length > 0 && !rules.losesApart ? [] : batch.filter((member) => !loses(member))
  const reported = batch.filter((member) => !loses(member)).flatMap(({ settles }) => settles)
  const after = winners.reduce((before, member) => applied(before, worker, member), state)
  const fenced = batch.flatMap(({ settles }) => settles.filter((action) => !worker.holds.includes(action)))
  const gone = [...winners.flatMap(({ settles }) => settles), ...fenced]
  const told = losers.map(({ owner }) => owner).join(', ')
  return {
    says: `w${index + 1} commits${told === '' ? '' : `, ${told} loses`}`,
    to: withWorker(
      { ...after, reported: [...new Set([...state.reported, ...reported])].sort() },
      index,
      letGo(worker, gone),
    ),
  }
}

const workerSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const worker = state.workers[index]!
  const crash: Step<State> = {
    says: `w${index + 1} crashes`,
    to: withWorker(state, index, IDLE),
    isFault: true,
  }
  if (worker.batch !== null) return [commitStep(state, index, rules), crash]
  const steps = [...ACTIONS.flatMap((action) => runSteps(state, index, action)), ...foldSteps(state, index)]
  return worker.sent.length === 0 ? steps : [...steps, crash]
}

const otherSteps = (state: State): Step<State>[] => {
  const steps: Step<State>[] = ACTIONS.filter((action) => state.actions[action] === 'running').map(
    (action) => {
      const workers = state.workers.map((worker) => ({
        ...worker,
        holds: worker.holds.filter((held) => held !== action),
      }))
      const actions = { ...state.actions, [action]: 'queued' as const }
      return {
        says: `the lease of ${action} runs out and it is requeued`,
        to: { ...state, actions, workers },
      }
    },
  )
  if (state.events === 0) return steps
  const { revision, log } = state.executions.a
  const executions = { ...state.executions, a: { revision: revision + 1, log: [...log, 'event'] } }
  return [
    ...steps,
    { says: 'an event moves a', to: { ...state, executions, events: state.events - 1 }, isFault: true },
  ]
}

const INVARIANTS: Model<State>['invariants'] = {
  I1: ({ executions }) =>
    OWNERS.every((owner) => new Set(executions[owner].log).size === executions[owner].log.length),
  I2: ({ actions }, before) =>
    ACTIONS.every((action) => before.actions[action] !== 'succeeded' || actions[action] === 'succeeded'),
  I5: ({ actions, executions }) =>
    ACTIONS.every(
      (action) => (actions[action] === 'succeeded') === executions[OWNER[action]].log.includes(action),
    ),
  I6: ({ executions, events }, before) =>
    executions.a.log.includes('event') || events > 0 || before.events > 0,
  S2: ({ actions }, before) =>
    before.reported.every((action) => before.actions[action] !== 'queued' || actions[action] === 'queued'),
}

const keyOf = ({ actions, executions, workers, events, reported }: State): string => {
  const keys = workers.map(({ sent, holds, batch }) => {
    const members = batch?.map(({ owner, settles, on, log }) => [
      settles,
      executions[owner].revision - on,
      log,
    ])
    return JSON.stringify([sent, holds, members])
  })
  const logs = OWNERS.map((owner) => executions[owner].log)
  return JSON.stringify([Object.values(actions), logs, keys.sort(), events, reported])
}

const modelOf = (workers: number, rules: Partial<Rules> = {}): Model<State> => ({
  initial: {
    actions: { a1: 'queued', a2: 'queued', b: 'queued' },
    executions: { a: { revision: 0, log: [] }, b: { revision: 0, log: [] } },
    workers: Array.from({ length: workers }, () => IDLE),
    events: 1,
    reported: [],
  },
  steps: (state) => [
    ...state.workers.flatMap((_, index) => workerSteps(state, index, { ...REAL, ...rules })),
    ...otherSteps(state),
  ],
  invariants: INVARIANTS,
  isEnd: ({ actions, workers }) =>
    ACTIONS.every((action) => actions[action] === 'succeeded') &&
    workers.every(({ sent }) => sent.length === 0),
  key: keyOf,
})

export const fold: Suite = {
  name: 'fold',
  real: [scenario('workers settle in batches', (size) => modelOf(size === 'commit' ? 2 : 3))],
  spare: [],
  weaker: [
    weaker("fold that lets a fenced member's state through", 'I5', modelOf(2, { losesWhole: false })),
    weaker('batch undone by one loser', 'S2', modelOf(2, { losesApart: false })),
    weaker('folded advance without expected version', 'I6', modelOf(2, { checksRevision: false })),
  ],
}
