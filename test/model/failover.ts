// Failover to a standby that is behind (src/core/keys.ts, RELIABILITY F22): the last commits vanish, what they had sent does not.
// Two requests become actions, each is claimed, sent and settled; the receiver does what it is asked to once per key. A
// key is derived from the request, so whatever was lost, no other action ever gets it. Claims of before are fenced
// by the new epoch, which is lease.ts's matter: here a worker forgets them.

import type { Model, Step } from './checker.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Rules {
  /** Else: the number that the database's sequence gave to the row. */
  readonly derivesKey: boolean
}

const REQUESTS = ['a', 'b'] as const
type Request = (typeof REQUESTS)[number]

interface Row {
  readonly request: Request
  readonly status: 'queued' | 'running' | 'succeeded'
  readonly key: string
}

interface State {
  readonly rows: readonly Row[]
  readonly sequence: number
  /** What the standby has. */
  readonly standby: { readonly rows: readonly Row[]; readonly sequence: number }
  /** At the receiver, by key: the request that was done under it. */
  readonly done: Readonly<Record<string, Request>>
  /** The request the worker has sent and not settled. */
  readonly sent: Request | ''
  readonly failovers: number
}

const insertSteps = (state: State, { derivesKey }: Rules): Step<State>[] =>
  REQUESTS.filter((request) => state.rows.every((row) => row.request !== request)).map((request) => {
    const sequence = state.sequence + 1
    const row: Row = { request, status: 'queued', key: derivesKey ? request : `${sequence}` }
    return { says: `${request} is accepted`, to: { ...state, sequence, rows: [...state.rows, row] } }
  })

const withStatus = (state: State, request: Request, status: Row['status']): State => ({
  ...state,
  rows: state.rows.map((row) => (row.request === request ? { ...row, status } : row)),
})

const workSteps = (state: State): Step<State>[] =>
  state.rows.flatMap(({ request, status, key }): Step<State>[] => {
    if (status === 'queued')
      return [{ says: `the worker claims ${request}`, to: withStatus(state, request, 'running') }]
    if (status === 'succeeded') return []
    const reaped = withStatus({ ...state, sent: state.sent === request ? '' : state.sent }, request, 'queued')
    const steps: Step<State>[] = [{ says: `the lease of ${request} runs out`, to: reaped }]
    const done = Object.hasOwn(state.done, key) ? state.done : { ...state.done, [key]: request }
    if (state.sent === '')
      steps.push({
        says: `the worker sends ${request} with key ${key}`,
        to: { ...state, done, sent: request },
      })
    if (state.sent === request) {
      const settled = withStatus({ ...state, sent: '' }, request, 'succeeded')
      steps.push({ says: `the worker settles ${request}`, to: settled })
    }
    return steps
  })

const standbySteps = (state: State): Step<State>[] => {
  const { rows, sequence, standby } = state
  const steps: Step<State>[] = []
  if (standby.rows !== rows)
    steps.push({ says: 'the standby catches up', to: { ...state, standby: { rows, sequence } } })
  if (state.failovers > 0)
    steps.push({
      says: 'failover to the standby',
      to: { ...state, ...standby, sent: '', failovers: state.failovers - 1 },
      isFault: true,
    })
  return steps
}

const INVARIANTS: Model<State>['invariants'] = {
  I3: ({ rows, done }) => rows.every(({ key, request }) => (done[key] ?? request) === request),
  I4: ({ rows, done }) =>
    rows.every(({ status, key, request }) => status !== 'succeeded' || done[key] === request),
}

const EMPTY = { rows: [], sequence: 0 }

const modelOf = (failovers: number, rules: Rules): Model<State> => ({
  initial: { ...EMPTY, standby: EMPTY, done: {}, sent: '', failovers },
  steps: (state) => [...insertSteps(state, rules), ...workSteps(state), ...standbySteps(state)],
  invariants: INVARIANTS,
  isEnd: ({ rows }) => rows.length === REQUESTS.length && rows.every(({ status }) => status === 'succeeded'),
  key: (state) => JSON.stringify(state),
})

export const failover: Suite = {
  name: 'failover',
  real: [scenario('the standby is behind', () => modelOf(2, { derivesKey: true }))],
  spare: [],
  weaker: [weaker('key from a database sequence after a failover', 'I4', modelOf(1, { derivesKey: false }))],
}
