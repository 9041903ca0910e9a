// Recurrences (src/core/triggers/recurrence*.ts, src/store/*/advance.ts): several schedulers, no leader. Whoever reads the
// timer due gives every occurrence since the last its fate, advances and arms the next, in one transaction on one
// revision; the timer's row goes with it, and an occurrence is written once. Meanwhile people change the recurrence,
// which tells what was due before, and schedulers crash.

import type { Model, Step } from './checker.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Rules {
  /** What a firing writes first when it writes twice. */
  readonly writes: 'at once' | 'fates first' | 'advance first'
  readonly checksRevision: boolean
  readonly checksTimer: boolean
  /** (recurrence, instant) is unique: the transaction that would write it again is refused. */
  readonly isUnique: boolean
}

const REAL: Rules = { writes: 'at once', checksRevision: true, checksTimer: true, isUnique: true }

interface Process {
  readonly at: 'idle' | 'read' | 'decided' | 'owes fates' | 'owes advance'
  /** The instant of the timer it read; 0 when it handles a change. */
  readonly timer: number
  readonly on: number
  /** The occurrences it gives their fate, and up to where. */
  readonly fates: readonly number[]
  readonly through: number
}

interface State {
  readonly now: number
  /** Occurrences fall on 1, 2 … this. */
  readonly last: number
  /** Every occurrence up to here has its fate. */
  readonly through: number
  /** The timer's row; 0: there is none. */
  readonly armed: number
  readonly revision: number
  /** The rows, in order. */
  readonly told: readonly number[]
  readonly processes: readonly Process[]
  readonly changes: number
}

const IDLE: Process = { at: 'idle', timer: 0, on: 0, fates: [], through: 0 }

const withProcess = (state: State, index: number, process: Process): State => ({
  ...state,
  processes: state.processes.with(index, process),
})

const decided = ({ through, now, revision }: State, timer: number): Process => ({
  at: 'decided',
  timer,
  on: revision,
  fates: Array.from({ length: now - through }, (_, index) => through + index + 1),
  through: now,
})

const withFates = (state: State, { fates }: Process): State => ({
  ...state,
  told: [...state.told, ...fates].sort(),
})

const advanced = (state: State, { through }: Process): State => ({
  ...state,
  through,
  armed: through < state.last ? through + 1 : 0,
  revision: state.revision + 1,
})

const idleSteps = (state: State, index: number): Step<State>[] => {
  const who = `p${index + 1}`
  const { armed, now, changes } = state
  const reads: Step<State>[] =
    armed > 0 && armed <= now
      ? [
          {
            says: `${who} reads the timer of ${armed}`,
            to: withProcess(state, index, { ...IDLE, at: 'read', timer: armed }),
          },
        ]
      : []
  if (changes === 0) return reads
  const to = withProcess({ ...state, changes: changes - 1 }, index, decided(state, 0))
  return [...reads, { says: `${who} decides a change`, to, isFault: true }]
}

const readStep = (state: State, index: number, { checksTimer }: Rules): Step<State> => {
  const { timer } = state.processes[index]!
  const who = `p${index + 1}`
  const isStale = checksTimer && state.armed !== timer
  return isStale
    ? { says: `${who} decides: stale`, to: withProcess(state, index, IDLE) }
    : { says: `${who} decides`, to: withProcess(state, index, decided(state, timer)) }
}

const commitStep = (state: State, index: number, rules: Rules): Step<State> => {
  const process = state.processes[index]!
  const { timer, on, fates } = process
  const who = `p${index + 1}`
  const free = withProcess(state, index, IDLE)
  if (rules.checksRevision && state.revision !== on) return { says: `${who} commits: conflict`, to: free }
  if (rules.checksTimer && timer > 0 && state.armed !== timer)
    return { says: `${who} commits: duplicate`, to: free }
  const isTold = fates.some((at) => state.told.includes(at))
  if (rules.isUnique && isTold && rules.writes !== 'advance first')
    return { says: `${who} commits: refused`, to: free }
  const what = fates.length === 0 ? 'no occurrence' : fates.join(', ')
  switch (rules.writes) {
    case 'at once':
      return { says: `${who} commits ${what}`, to: advanced(withFates(free, process), process) }
    case 'fates first':
      return {
        says: `${who} writes ${what}`,
        to: withFates(withProcess(state, index, { ...process, at: 'owes advance' }), process),
      }
    case 'advance first':
      return {
        says: `${who} advances`,
        to: advanced(withProcess(state, index, { ...process, at: 'owes fates' }), process),
      }
  }
}

const processSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const who = `p${index + 1}`
  const free = withProcess(state, index, IDLE)
  const crash: Step<State> = { says: `${who} crashes`, to: free, isFault: true }
  switch (process.at) {
    case 'idle':
      return idleSteps(state, index)
    case 'read':
      return [readStep(state, index, rules), crash]
    case 'decided':
      return [commitStep(state, index, rules), crash]
    case 'owes fates':
      return [{ says: `${who} writes ${process.fates.join(', ')}`, to: withFates(free, process) }, crash]
    case 'owes advance':
      return [{ says: `${who} advances`, to: advanced(free, process) }, crash]
  }
}

const INVARIANTS: Model<State>['invariants'] = {
  I8: ({ told, through, processes }) =>
    new Set(told).size === told.length &&
    Array.from({ length: through }, (_, index) => index + 1).every(
      (at) =>
        told.includes(at) || processes.some((each) => each.at === 'owes fates' && each.fates.includes(at)),
    ),
}

const isEnd = ({ told, last, armed, processes }: State): boolean =>
  told.length === last && armed === 0 && processes.every(({ at }) => at === 'idle')

const keyOf = ({ revision, processes, ...rest }: State): string => {
  const keys = processes.map(({ on, ...process }) =>
    JSON.stringify([process, process.at === 'decided' ? revision - on : 0]),
  )
  return `${JSON.stringify(rest)} ${keys.sort().join(' ')}`
}

const modelOf = (
  schedulers: number,
  last: number,
  changes: number,
  rules: Partial<Rules> = {},
): Model<State> => ({
  initial: {
    now: 0,
    last,
    through: 0,
    armed: 1,
    revision: 0,
    told: [],
    processes: Array.from({ length: schedulers }, () => IDLE),
    changes,
  },
  steps: (state) => [
    ...state.processes.flatMap((_, index) => processSteps(state, index, { ...REAL, ...rules })),
    ...(state.now < last ? [{ says: `it is ${state.now + 1}`, to: { ...state, now: state.now + 1 } }] : []),
  ],
  invariants: INVARIANTS,
  isEnd,
  key: keyOf,
})

const BARE = { checksRevision: false, checksTimer: false, isUnique: false } as const

export const recurrence: Suite = {
  name: 'recurrence',
  real: [
    scenario('schedulers without a leader, changes while they fire', (size) =>
      size === 'commit' ? modelOf(3, 3, 2) : modelOf(4, 4, 3),
    ),
  ],
  spare: [
    scenario('without the unique row: one revision', () => modelOf(2, 3, 1, { isUnique: false })),
    scenario('without the revision, nobody changing it: one timer, one row', () =>
      modelOf(2, 3, 0, { checksRevision: false }),
    ),
  ],
  weaker: [
    weaker('recurrence without revision, timer row or unique row', 'I8', modelOf(2, 2, 0, BARE)),
    weaker('recurrence changed without expected version', 'I7', modelOf(2, 2, 1, { checksRevision: false })),
    weaker(
      'recurrence that fires and advances in two transactions',
      'I8',
      modelOf(2, 2, 0, { writes: 'fates first', isUnique: false }),
    ),
    weaker(
      'recurrence that fires and advances in two transactions, its rows unique',
      'I7',
      modelOf(2, 2, 0, { writes: 'fates first' }),
    ),
    weaker('recurrence that advances before it fires', 'I8', modelOf(2, 2, 0, { writes: 'advance first' })),
  ],
}
