// What a store is, in memory and in the plainest words: the reference that random verbs are compared with. One tenant,
// one priority; parking and holding are derived from who is paused or failed, never stored.

import type { Result } from '../../src/store/store.ts'

export const KEY_MS = 500
export const RETRY_MS = 200

export interface ModelAction {
  status: string
  readonly type: string
  readonly execution: string | null
  dueAt: number
  attempt: number
  lost: number
  token: number
  nonce: string
  leaseUntil: number
  cancelRequested: boolean
  isArchived: boolean
}

interface ModelExecution {
  readonly definition: string
  hasEnded: boolean
  isFailed: boolean
  isPausedItself: boolean
  revision: number
  readonly timers: Map<string, number>
  /** Event ids, and whether they were applied. */
  readonly events: Map<string, boolean>
}

type Told = Pick<Result, 'status' | 'subject' | 'deduplicated'>
export interface ModelClaim {
  readonly id: string
  readonly token: number
  readonly nonce: string
}

/** In the order they came. */
export const unapplied = ({ events }: Pick<ModelExecution, 'events'>): readonly string[] =>
  [...events].filter(([, isApplied]) => !isApplied).map(([event]) => event)

const OK: Told = { status: 'ok' }
const lose = (status: Result['status'], subject: string): Told => ({ status, subject })

export const createModel = () => {
  const actions = new Map<string, ModelAction>()
  const executions = new Map<string, ModelExecution>()
  const keys = new Map<string, { readonly action: string; readonly until: number | null }>()
  const pauses = new Set<string>()

  const isPaused = (one: ModelExecution): boolean =>
    !one.hasEnded && !one.isFailed && (one.isPausedItself || pauses.has(`definition:${one.definition}`))
  const statusOf = (one: ModelExecution): string =>
    one.hasEnded ? 'completed' : one.isFailed ? 'failed' : isPaused(one) ? 'paused' : 'active'
  const isStill = (one: ModelExecution): boolean => one.isFailed || isPaused(one)
  const isParked = ({ execution }: ModelAction): boolean =>
    execution !== null && isPaused(executions.get(execution)!)
  const isClosed = (type: string): boolean => pauses.has('tenant:acme') || pauses.has(`type:${type}`)

  const insert = (id: string, type: string, execution: string | null, dueAt: number): void => {
    const fresh = { attempt: 0, lost: 0, token: 0, nonce: '', leaseUntil: 0 }
    actions.set(id, {
      ...fresh,
      status: 'queued',
      type,
      execution,
      dueAt,
      cancelRequested: false,
      isArchived: false,
    })
  }
  const release = (id: string, isAny: boolean): void => {
    for (const [key, { action, until }] of keys)
      if (action === id && (isAny || until === null)) keys.delete(key)
  }
  const end = (id: string, status: string): void => {
    actions.get(id)!.status = status
    if (status !== 'review' && status !== 'queued') release(id, status === 'dead')
  }
  const cancel = (id: string): void => {
    const action = actions.get(id)!
    if (action.status === 'queued') end(id, 'cancelled')
    else if (action.status === 'running') action.cancelRequested = true
  }
  /** Whoever was stopped or goes on by it has moved on by one revision. */
  const turning = (change: () => void): void => {
    const before = new Map([...executions].map(([id, one]) => [id, statusOf(one)]))
    change()
    for (const [id, one] of executions) if (statusOf(one) !== before.get(id)) one.revision += 1
  }
  const holdsClaim = ({ id, token, nonce }: ModelClaim): boolean => {
    const row = actions.get(id)
    return row?.status === 'running' && row.token === token && row.nonce === nonce
  }

  return {
    actions,
    executions,
    statusOf,

    start: (id: string, definition: string, planned: readonly string[], type: string, at: number): Told => {
      if (executions.has(id)) return lose('duplicate', id)
      const rest = { hasEnded: false, isFailed: false, isPausedItself: false, revision: 1 }
      executions.set(id, { definition, ...rest, timers: new Map(), events: new Map() })
      for (const action of planned) insert(action, type, id, at)
      return OK
    },
    /** What a step makes of it. Only what goes on fails; what failed goes on only where nothing else stops it. */
    nextOf: (one: ModelExecution, { ends, turns }: Pick<ModelStep, 'ends' | 'turns'>): string => {
      if (ends) return 'completed'
      if (turns === 'fails' && statusOf(one) === 'active') return 'failed'
      const isFree = !pauses.has(`definition:${one.definition}`)
      return turns === 'revives' && one.isFailed && isFree ? 'active' : statusOf(one)
    },
    step: (id: string, expected: number, step: ModelStep): Told => {
      const one = executions.get(id)
      if (one === undefined || one.revision !== expected) return lose('conflict', id)
      const known = { outside: one.events.has(step.event), inbox: one.events.get(step.event) !== false }
      if (step.from === 'timer' ? !one.timers.has(step.timer) : known[step.from])
        return lose('duplicate', step.from === 'timer' ? step.timer : step.event)
      if (step.from === 'timer') one.timers.delete(step.timer)
      else one.events.set(step.event, true)
      for (const [action, row] of actions) if (row.execution === id && step.cancels) cancel(action)
      if (step.arm !== undefined) one.timers.set(step.timer, step.arm)
      one.revision += 1
      if (step.ends) one.hasEnded = true
      one.isFailed = step.status === 'failed'
      return OK
    },
    deliver: (id: string, event: string): Told => {
      const one = executions.get(id)
      if (one === undefined) return lose('conflict', id)
      if (one.events.has(event)) return lose('duplicate', event)
      one.events.set(event, false)
      return OK
    },
    enqueue: (id: string, type: string, key: ModelKey | undefined, dueAt: number, at: number): Told => {
      const held = key && keys.get(key.name)
      if (held !== undefined && (held.until === null || held.until > at))
        return { status: 'ok', deduplicated: [{ id, existing: held.action }] }
      if (key !== undefined) keys.set(key.name, { action: id, until: key.isTimed ? at + KEY_MS : null })
      insert(id, type, null, dueAt)
      return OK
    },
    heads: (now: number) => {
      const queued = [...actions.values()].filter((row) => row.status === 'queued' && !isParked(row))
      return [...new Set(queued.map(({ type }) => type))].sort().map((type) => {
        const dues = queued.filter((row) => row.type === type).map(({ dueAt }) => dueAt)
        const due = dues.filter((dueAt) => dueAt <= now).length
        return { type, dueAt: Math.min(...dues), due, paused: isClosed(type) }
      })
    },
    claim: (types: readonly string[], n: number, nonce: string, now: number, leaseMs: number) =>
      types.flatMap((type) =>
        [...actions]
          .filter(
            ([, row]) => row.type === type && row.status === 'queued' && !isParked(row) && row.dueAt <= now,
          )
          .sort(([a, one], [b, other]) => one.dueAt - other.dueAt || (a < b ? -1 : 1))
          .slice(0, n)
          .map(([id, row]) => {
            Object.assign(row, {
              status: 'running',
              token: row.token + 1,
              nonce,
              leaseUntil: now + leaseMs,
            })
            return id
          }),
      ),
    settle: (claim: ModelClaim, status: string, attempt: number, at: number, expiredAt?: number): Told => {
      const row = actions.get(claim.id)
      const isExpired = expiredAt === undefined || row!.leaseUntil <= expiredAt
      if (!holdsClaim(claim) || !isExpired) return lose('fenced', claim.id)
      end(claim.id, status)
      row!.attempt = Math.max(row!.attempt, attempt)
      if (status === 'queued') row!.dueAt = row!.cancelRequested ? at : at + RETRY_MS
      return OK
    },
    extend: (claims: readonly ModelClaim[], leaseUntil: number) => {
      const held = claims.filter(holdsClaim)
      for (const { id } of held) actions.get(id)!.leaseUntil = leaseUntil
      const lost = claims.filter((claim) => !held.includes(claim))
      return { lost, cancelled: held.filter(({ id }) => actions.get(id)!.cancelRequested) }
    },
    expired: (now: number) =>
      [...actions].filter(([, row]) => row.status === 'running' && row.leaseUntil <= now).map(([id]) => id),
    control: (kind: ModelControl, id: string, at: number): Told => {
      const row = actions.get(id)
      if (row === undefined || row.isArchived || !NEEDS[kind].includes(row.status))
        return lose('conflict', id)
      if (kind === 'cancel_action') cancel(id)
      if (kind === 'run_now') row.dueAt = at
      if (kind === 'archive_dead') row.isArchived = true
      if (kind === 'archive_dead') release(id, true)
      if (kind === 'resolve_review') end(id, 'succeeded')
      if (kind === 'retry_dead')
        Object.assign(row, { status: 'queued', dueAt: at, lost: row.attempt, cancelRequested: false })
      return OK
    },
    pause: (scope: string, value: string): Told => {
      const one = executions.get(value)
      const isFree =
        scope === 'execution'
          ? one && !one.hasEnded && !one.isFailed && !one.isPausedItself
          : !pauses.has(`${scope}:${value}`)
      if (!isFree) return lose('conflict', value)
      turning(() => {
        if (scope === 'execution') one!.isPausedItself = true
        else pauses.add(`${scope}:${value}`)
      })
      return OK
    },
    resume: (scope: string, value: string): Told => {
      const one = executions.get(value)
      const holds =
        scope === 'execution' ? one?.isPausedItself && isPaused(one) : pauses.has(`${scope}:${value}`)
      if (!holds) return lose('conflict', value)
      turning(() => {
        if (scope === 'execution') one!.isPausedItself = false
        else pauses.delete(`${scope}:${value}`)
      })
      return OK
    },
    dueTimers: (now: number) =>
      [...executions].flatMap(([id, one]) =>
        isStill(one)
          ? []
          : [...one.timers].filter(([, dueAt]) => dueAt <= now).map(([key]) => `${id} ${key}`),
      ),
    waiting: () =>
      [...executions].flatMap(([id, one]) =>
        isStill(one) ? [] : unapplied(one).map((event) => `${id} ${event}`),
      ),
    waitingDefinitions: () => {
      const going = [...executions.values()].filter((one) => !isStill(one) && unapplied(one).length > 0)
      return [...new Set(going.map(({ definition }) => definition))]
    },
  }
}

export interface ModelStep {
  readonly from: 'outside' | 'inbox' | 'timer'
  readonly event: string
  readonly timer: string
  /** When the timer is set, for when. */
  readonly arm?: number
  readonly cancels: boolean
  readonly ends: boolean
  readonly turns: 'stays' | 'fails' | 'revives'
  /** What comes of that. */
  readonly status: string
}

export interface ModelKey {
  readonly name: string
  readonly isTimed: boolean
}

type ModelControl = 'cancel_action' | 'run_now' | 'retry_dead' | 'archive_dead' | 'resolve_review'
const NEEDS: Readonly<Record<ModelControl, readonly string[]>> = {
  cancel_action: ['queued', 'running'],
  run_now: ['queued'],
  retry_dead: ['dead'],
  archive_dead: ['dead', 'review'],
  resolve_review: ['review'],
}
export type Model = ReturnType<typeof createModel>
