// The inbox and the advance, checked: what must hold of inbox-steps.ts in every state, and the rules without which it breaks.

import type { Model } from './checker.ts'
import { EVENTS, type Process, REAL, type Rules, type State, stepsOf, waiting } from './inbox-steps.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Setting {
  /** Processes that know the definition, and ones that only run actions. */
  readonly knowing: number
  readonly unknowing: number
  readonly pauses: number
}

const initial = ({ knowing, unknowing, pauses }: Setting): State => ({
  revision: 0,
  status: 'active',
  log: [],
  inbox: [],
  action: 'queued',
  isExpired: false,
  processes: Array.from(
    { length: knowing + unknowing },
    (_, index): Process => ({
      knows: index < knowing,
      at: 'idle',
      isHeld: false,
    }),
  ),
  acknowledged: 0,
  pauses,
  isReported: false,
})

const isKept = ({ log, inbox }: State, event: string): boolean =>
  log.some((applied) => applied === event) || inbox.some((row) => row.event === event)

const INVARIANTS: Model<State>['invariants'] = {
  I1: ({ log, inbox }) =>
    new Set(log).size === log.length &&
    inbox.every(({ event, isApplied }) => !isApplied || log.includes(event)),
  I2: ({ action }, before) => before.action !== 'succeeded' || action === 'succeeded',
  I5: (state) => (state.action === 'succeeded') === isKept(state, 'result'),
  I6: (state) => EVENTS.slice(0, state.acknowledged).every((event) => isKept(state, event)),
  S2: ({ action }, before) => !(before.isReported && before.action === 'queued' && action === 'running'),
  O1: ({ log }) => !log.includes('e2') || log.indexOf('e1') < log.indexOf('e2'),
}

const isEnd = (state: State): boolean =>
  state.action === 'succeeded' &&
  state.acknowledged === EVENTS.length &&
  (state.status === 'failed' || (state.status === 'active' && waiting(state).length === 0)) &&
  state.processes.every(({ at }) => at === 'idle')

/** Processes of a kind have no order; of a revision only the distance to the present one matters. */
const keyOf = (state: State): string => {
  const { revision, processes, ...rest } = state
  const keys = processes.map(({ knows, at, isHeld, decision }) => {
    const { event, from, on, log, isThrown } = decision ?? {}
    const made = decision && `${event} ${from} ${revision - on!} ${log} ${isThrown}`
    return `${knows} ${at} ${isHeld} ${made ?? ''}`
  })
  return `${JSON.stringify(rest)} ${keys.sort().join('|')}`
}

const modelOf = (setting: Setting, rules: Partial<Rules> = {}): Model<State> => ({
  initial: initial(setting),
  steps: (state) => stepsOf(state, { ...REAL, ...rules }),
  invariants: INVARIANTS,
  isEnd,
  key: keyOf,
})

const TWO: Setting = { knowing: 1, unknowing: 1, pauses: 1 }
const RIVALS: Setting = { knowing: 2, unknowing: 0, pauses: 1 }
const MANY: Setting = { knowing: 2, unknowing: 1, pauses: 1 }

export const inbox: Suite = {
  name: 'inbox',
  real: [
    scenario('one process knows the definition', () => modelOf(TWO)),
    scenario('two processes know the definition', (size) => modelOf(size === 'commit' ? RIVALS : MANY)),
  ],
  spare: [],
  weaker: [
    weaker('decide inside the settlement', 'S2', modelOf(TWO, { decidesBefore: false })),
    weaker('advance without expected version', 'I1', modelOf(RIVALS, { checksRevision: false })),
    weaker(
      'inbox row applied without mark in the same transaction',
      'I1',
      modelOf(TWO, { marksAtOnce: false }),
    ),
    weaker('event applied without remembering its id', 'I1', modelOf(TWO, { remembersIds: false })),
    weaker('event that overtakes those that wait', 'O1', modelOf(TWO, { queuesBehind: false })),
    weaker('unknown definition: event discarded', 'I6', modelOf(TWO, { keepsUnknown: false })),
  ],
}
