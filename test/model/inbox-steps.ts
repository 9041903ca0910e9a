// One execution and what reaches it: two events from outside, sent one after the other and again when a reply is lost, and
// the result of one action (KERNEL: decide before the transaction; src/store/*/{check,member,advance,pause}.ts). Processes
// that know the definition decide and advance over the revision they read; those that do not leave events in the inbox.
// decide may throw, people pause and resume, processes crash. The claim's own fence is lease.ts's matter: here it works.

import type { Step } from './checker.ts'

export interface Rules {
  /** Else: inside the transaction of the settlement, which its throw undoes. */
  readonly decidesBefore: boolean
  readonly checksRevision: boolean
  /** The mark of an applied event is written with the advance. Else: right after it. */
  readonly marksAtOnce: boolean
  /** The id of an event that is applied as it arrives is kept. */
  readonly remembersIds: boolean
  /** An event that arrives goes behind those that wait. */
  readonly queuesBehind: boolean
  /** A process that does not know the definition leaves the event for one that does. Else: it discards it. */
  readonly keepsUnknown: boolean
}

export const REAL: Rules = {
  decidesBefore: true,
  checksRevision: true,
  marksAtOnce: true,
  remembersIds: true,
  queuesBehind: true,
  keepsUnknown: true,
}

export type EventName = 'e1' | 'e2' | 'result'

interface Decision {
  readonly event: EventName
  readonly from: 'outside' | 'inbox' | 'result'
  /** The revision it was made on, and what the execution then becomes. */
  readonly on: number
  readonly log: readonly EventName[]
  readonly isThrown: boolean
}

export interface Process {
  readonly knows: boolean
  readonly at: 'idle' | 'running' | 'sent' | 'decided' | 'marking'
  /** The claim it runs under is still its own. */
  readonly isHeld: boolean
  readonly decision?: Decision
}

export interface State {
  readonly revision: number
  readonly status: 'active' | 'paused' | 'failed'
  /** The events in the snapshot, as they were applied. */
  readonly log: readonly EventName[]
  readonly inbox: readonly { readonly event: EventName; readonly isApplied: boolean }[]
  readonly action: 'queued' | 'running' | 'succeeded'
  readonly isExpired: boolean
  readonly processes: readonly Process[]
  /** Events whose sender has its answer. */
  readonly acknowledged: number
  readonly pauses: number
  /** The success of the action reached the store from its holder, and nobody stood in the way. */
  readonly isReported: boolean
}

export const EVENTS: readonly EventName[] = ['e1', 'e2']

export const waiting = ({ inbox }: State): readonly EventName[] =>
  inbox.filter(({ isApplied }) => !isApplied).map(({ event }) => event)

const inInbox = (state: State, event: EventName): boolean => state.inbox.some((row) => row.event === event)

const withProcess = (state: State, index: number, change: Partial<Process>): State => {
  const { decision: _, ...rest } = state.processes[index]!
  return { ...state, processes: state.processes.with(index, { ...rest, ...change }) }
}

const idle = (state: State, index: number): State => withProcess(state, index, { at: 'idle', isHeld: false })

const acknowledge = (state: State, event: EventName): State => ({
  ...state,
  acknowledged: Math.max(state.acknowledged, EVENTS.indexOf(event) + 1),
})

const deliver = (state: State, event: EventName): State =>
  inInbox(state, event) ? state : { ...state, inbox: [...state.inbox, { event, isApplied: false }] }

/** May it be decided here and now, or must it wait in the inbox? */
const isDecidable = (state: State, { knows }: Process, rules: Rules): boolean =>
  knows && state.status === 'active' && (waiting(state).length === 0 || !rules.queuesBehind)

const decideSteps = (
  state: State,
  index: number,
  event: EventName,
  from: Decision['from'],
): Step<State>[] => {
  const { isHeld } = state.processes[index]!
  const decided = (isThrown: boolean): State => {
    const decision = { event, from, on: state.revision, log: [...state.log, event], isThrown }
    return withProcess(state, index, { at: 'decided', isHeld, decision })
  }
  const who = `p${index + 1}`
  return [
    { says: `${who} decides on ${event}`, to: decided(false) },
    { says: `${who} decides on ${event}, which throws`, to: decided(true), isFault: true },
  ]
}

const arrivals = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const event = EVENTS[state.acknowledged]
  if (event === undefined) return []
  if (isDecidable(state, process, rules)) return decideSteps(state, index, event, 'outside')
  const isKept = process.knows || rules.keepsUnknown
  const kept = isKept ? deliver(state, event) : state
  const says = `p${index + 1} ${isKept ? 'puts' : 'discards'} ${event}${isKept ? ' in the inbox' : ''}`
  return [
    { says, to: acknowledge(kept, event) },
    { says: `${says}, the reply is lost`, to: kept, isFault: true },
  ]
}

const idleSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const steps = arrivals(state, index, rules)
  const [next] = waiting(state)
  if (process.knows && state.status === 'active' && next !== undefined)
    steps.push(...decideSteps(state, index, next, 'inbox'))
  if (state.action === 'queued' && state.status !== 'paused') {
    const claimed: State = { ...state, action: 'running', isExpired: false }
    const to = withProcess(claimed, index, { at: 'running', isHeld: true })
    steps.push({ says: `p${index + 1} claims the action`, to })
  }
  return steps
}

const settled = (state: State): State => ({ ...state, action: 'succeeded', isReported: true })

const settleSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const who = `p${index + 1}`
  if (!process.isHeld) return [{ says: `${who} settles and is fenced`, to: idle(state, index) }]
  if (isDecidable(state, process, rules) && rules.decidesBefore)
    return decideSteps(state, index, 'result', 'result')
  if (isDecidable(state, process, rules)) {
    const log: readonly EventName[] = [...state.log, 'result']
    const advanced = { ...settled(state), log, revision: state.revision + 1 }
    return [
      { says: `${who} settles and decides`, to: idle(advanced, index) },
      {
        says: `${who} settles, decide throws, all is undone`,
        to: idle({ ...state, isReported: true }, index),
      },
    ]
  }
  const to = idle(deliver(settled(state), 'result'), index)
  return [{ says: `${who} settles and puts the result in the inbox`, to }]
}

/** An advance, with everything that belongs to it. */
const advanced = (state: State, { event, from, log, isThrown }: Decision, rules: Rules): State => {
  const moved: State = { ...state, revision: state.revision + 1 }
  if (isThrown) return { ...deliver(moved, event), status: 'failed' }
  const mark = (row: State['inbox'][number]) => (row.event === event ? { ...row, isApplied: true } : row)
  const applied = { ...moved, log }
  if (from === 'inbox') return rules.marksAtOnce ? { ...applied, inbox: state.inbox.map(mark) } : applied
  if (from === 'result' || !rules.remembersIds) return applied
  return { ...applied, inbox: [...state.inbox, { event, isApplied: true }] }
}

const isKnown = (state: State, { event, from }: Decision): boolean =>
  from === 'outside' ? inInbox(state, event) : from === 'inbox' && !waiting(state).includes(event)

const commitSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const { decision, isHeld } = state.processes[index]!
  const { event, from, on, isThrown } = decision!
  const who = `p${index + 1}`
  const isResult = from === 'result'
  const free = idle(state, index)
  if (isResult && !isHeld) return [{ says: `${who} commits and is fenced`, to: free }]
  if (rules.checksRevision && state.revision !== on) {
    const again = isResult ? withProcess(state, index, { at: 'sent' }) : free
    return [{ says: `${who} commits ${event}: conflict`, to: again }]
  }
  const answered = from === 'outside' ? acknowledge(free, event) : free
  if (isKnown(state, decision!)) return [{ says: `${who} commits ${event}: duplicate`, to: answered }]
  const owes = from === 'inbox' && !rules.marksAtOnce && !isThrown
  const before = owes ? withProcess(state, index, { at: 'marking', decision: decision! }) : answered
  const to = advanced(isResult ? settled(before) : before, decision!, rules)
  const says = `${who} commits ${event}`
  if (from !== 'outside') return [{ says, to }]
  const lost = advanced(free, decision!, rules)
  return [
    { says, to },
    { says: `${says}, the reply is lost`, to: lost, isFault: true },
  ]
}

const markStep = (state: State, index: number): Step<State> => {
  const { event } = state.processes[index]!.decision!
  const inbox = state.inbox.map((row) => (row.event === event ? { ...row, isApplied: true } : row))
  return { says: `p${index + 1} marks ${event}`, to: idle({ ...state, inbox }, index) }
}

const processSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const { at } = state.processes[index]!
  const who = `p${index + 1}`
  const crash: Step<State> = { says: `${who} crashes`, to: idle(state, index), isFault: true }
  switch (at) {
    case 'idle':
      return idleSteps(state, index, rules)
    case 'running':
      return [{ says: `${who} sends, it is done`, to: withProcess(state, index, { at: 'sent' }) }, crash]
    case 'sent':
      return [...settleSteps(state, index, rules), crash]
    case 'decided':
      return [...commitSteps(state, index, rules), crash]
    case 'marking':
      return [markStep(state, index), crash]
  }
}

const otherSteps = (state: State): Step<State>[] => {
  const steps: Step<State>[] = []
  const revision = state.revision + 1
  if (state.status === 'active' && state.pauses > 0) {
    const to: State = { ...state, status: 'paused', revision, pauses: state.pauses - 1 }
    steps.push({ says: 'a person pauses it', to, isFault: true })
  }
  if (state.status === 'paused')
    steps.push({ says: 'a person resumes it', to: { ...state, status: 'active', revision } })
  if (state.action === 'running' && !state.isExpired)
    steps.push({ says: 'the lease runs out', to: { ...state, isExpired: true } })
  if (state.action === 'running' && state.isExpired) {
    const processes = state.processes.map((process) => ({ ...process, isHeld: false }))
    steps.push({ says: 'the reaper requeues the action', to: { ...state, action: 'queued', processes } })
  }
  return steps
}

export const stepsOf = (state: State, rules: Rules): readonly Step<State>[] => [
  ...state.processes.flatMap((_, index) => processSteps(state, index, rules)),
  ...otherSteps(state),
]
