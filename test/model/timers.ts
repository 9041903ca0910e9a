// Timers of a state (src/core/triggers/machine.ts, src/store/*/{check,advance}.ts): armed on entering, deleted on leaving, and
// fired by whoever reads them due; the firing deletes the row in the transaction that advances. The state is left and
// entered again while a firing is under way. The timer's transition is internal: the execution stays where it is, and its
// snapshot still lists the timer, so that only the deleted row says it has fired.

import type { Model, Step } from './checker.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Rules {
  /** When the row of a timer that fires is deleted. `with`: in the transaction of the advance. */
  readonly deletes: 'with' | 'before' | 'after'
  readonly checksRevision: boolean
  /** Leaving a state deletes its timers. */
  readonly cancelsOnExit: boolean
  /** decide ignores a timer that its snapshot does not list. */
  readonly ignoresStale: boolean
}

const REAL: Rules = { deletes: 'with', checksRevision: true, cancelsOnExit: true, ignoresStale: true }

interface Snapshot {
  readonly isOpen: boolean
  /** How often the state was entered: part of its timer's key. */
  readonly visit: number
  /** The visits whose timer has fired. */
  readonly fired: readonly number[]
}

interface Process {
  readonly at: 'idle' | 'read' | 'decided' | 'deleting'
  /** The visit of the timer it read, or 0 when it handles an event. */
  readonly timer: number
  readonly on: number
  readonly decided?: Snapshot
}

interface State extends Snapshot {
  readonly revision: number
  readonly timers: readonly { readonly visit: number; readonly isDue: boolean }[]
  readonly processes: readonly Process[]
  /** Events that may still come: close, open, close … */
  readonly events: number
}

const IDLE: Process = { at: 'idle', timer: 0, on: 0 }

const withProcess = (state: State, index: number, process: Process): State => ({
  ...state,
  processes: state.processes.with(index, process),
})

const snapshotOf = ({ isOpen, visit, fired }: State): Snapshot => ({ isOpen, visit, fired })

const withoutTimer = (state: State, visit: number): State => ({
  ...state,
  timers: state.timers.filter((timer) => timer.visit !== visit),
})

const idleSteps = (state: State, index: number): Step<State>[] => {
  const who = `p${index + 1}`
  const steps: Step<State>[] = state.timers
    .filter(({ isDue }) => isDue)
    .map(({ visit }) => {
      const read: Process = { at: 'read', timer: visit, on: 0 }
      return { says: `${who} reads the timer of visit ${visit}`, to: withProcess(state, index, read) }
    })
  if (state.events === 0) return steps
  const { isOpen, visit, fired } = state
  const decided = { isOpen: !isOpen, visit: isOpen ? visit : visit + 1, fired }
  const process: Process = { at: 'decided', timer: 0, on: state.revision, decided }
  const to = withProcess({ ...state, events: state.events - 1 }, index, process)
  return [...steps, { says: `${who} decides to ${isOpen ? 'leave' : 'enter'} the state`, to, isFault: true }]
}

const readSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const { timer } = state.processes[index]!
  const who = `p${index + 1}`
  const isStale = rules.ignoresStale && !(state.isOpen && state.visit === timer)
  const before = snapshotOf(state)
  const decided = isStale ? before : { ...before, fired: [...before.fired, timer] }
  const base = rules.deletes === 'before' ? withoutTimer(state, timer) : state
  const to = withProcess(base, index, { at: 'decided', timer, on: state.revision, decided })
  const deleting = rules.deletes === 'before' ? ' and deletes the timer' : ''
  return [{ says: `${who} decides${isStale ? ': stale' : ''}${deleting}`, to }]
}

/** The rows of the timers after an advance: what fired or was left is gone, what was entered is armed. */
const timersAfter = (state: State, { timer, decided }: Process, rules: Rules): State['timers'] => {
  const { isOpen, visit } = decided!
  const hasLeft = state.isOpen && !isOpen
  const kept = state.timers.filter(
    (row) =>
      !(rules.deletes === 'with' && row.visit === timer) &&
      !(rules.cancelsOnExit && hasLeft && row.visit === state.visit),
  )
  return isOpen && visit > state.visit ? [...kept, { visit, isDue: false }] : kept
}

const commitSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const { timer, on, decided } = process
  const who = `p${index + 1}`
  const free = withProcess(state, index, IDLE)
  if (rules.checksRevision && state.revision !== on) return [{ says: `${who} commits: conflict`, to: free }]
  const isGone = timer > 0 && !state.timers.some(({ visit }) => visit === timer)
  if (rules.deletes !== 'before' && isGone) return [{ says: `${who} commits: duplicate`, to: free }]
  const owes = rules.deletes === 'after' && timer > 0
  const next = owes ? withProcess(state, index, { ...IDLE, at: 'deleting', timer }) : free
  const timers = timersAfter(state, process, rules)
  const to = { ...next, ...decided!, revision: state.revision + 1, timers }
  return [{ says: `${who} commits ${timer > 0 ? `the timer of visit ${timer}` : 'the event'}`, to }]
}

const processSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const { at, timer } = state.processes[index]!
  const who = `p${index + 1}`
  const free = withProcess(state, index, IDLE)
  const crash: Step<State> = { says: `${who} crashes`, to: free, isFault: true }
  switch (at) {
    case 'idle':
      return idleSteps(state, index)
    case 'read':
      return [...readSteps(state, index, rules), crash]
    case 'decided':
      return [...commitSteps(state, index, rules), crash]
    case 'deleting':
      return [{ says: `${who} deletes the timer`, to: withoutTimer(free, timer) }, crash]
  }
}

const timeSteps = (state: State): Step<State>[] =>
  state.timers.flatMap((timer, index) => {
    if (timer.isDue) return []
    const to = { ...state, timers: state.timers.with(index, { ...timer, isDue: true }) }
    return [{ says: `the timer of visit ${timer.visit} is due`, to }]
  })

const INVARIANTS: Model<State>['invariants'] = {
  I1: ({ fired }, before) =>
    new Set(fired).size === fired.length && before.fired.every((visit) => fired.includes(visit)),
  T1: ({ fired }, before) =>
    fired.length <= before.fired.length || (before.isOpen && fired.at(-1) === before.visit),
}

/** Everyone is done, and the timer of the state it is in has fired. */
const isEnd = ({ isOpen, visit, fired, timers, processes }: State): boolean =>
  timers.length === 0 && processes.every(({ at }) => at === 'idle') && (!isOpen || fired.includes(visit))

const keyOf = ({ revision, processes, ...rest }: State): string => {
  const keys = processes.map(({ at, timer, on, decided }) =>
    JSON.stringify([at, timer, at === 'decided' ? revision - on : 0, decided]),
  )
  return `${JSON.stringify(rest)} ${keys.sort().join(' ')}`
}

const modelOf = (processes: number, events: number, rules: Partial<Rules> = {}): Model<State> => ({
  initial: {
    isOpen: true,
    visit: 1,
    fired: [],
    revision: 0,
    timers: [{ visit: 1, isDue: false }],
    processes: Array.from({ length: processes }, () => IDLE),
    events,
  },
  steps: (state) => [
    ...state.processes.flatMap((_, index) => processSteps(state, index, { ...REAL, ...rules })),
    ...timeSteps(state),
  ],
  invariants: INVARIANTS,
  isEnd,
  key: keyOf,
})

export const timers: Suite = {
  name: 'timers',
  real: [
    scenario('a state is left and entered while timers fire', (size) =>
      size === 'commit' ? modelOf(3, 4) : modelOf(4, 6),
    ),
  ],
  spare: [
    scenario('without cancelling on exit: found stale', () => modelOf(2, 3, { cancelsOnExit: false })),
    scenario('without finding it stale: cancelled on exit', () => modelOf(2, 3, { ignoresStale: false })),
  ],
  weaker: [
    weaker('timer deleted after the transaction', 'I1', modelOf(2, 2, { deletes: 'after' })),
    weaker('timer deleted before the transaction', 'I7', modelOf(2, 2, { deletes: 'before' })),
    weaker('timer and event without expected version', 'I1', modelOf(2, 2, { checksRevision: false })),
    weaker(
      'timer neither cancelled on exit nor found stale',
      'T1',
      modelOf(2, 2, { cancelsOnExit: false, ignoresStale: false }),
    ),
  ],
}
