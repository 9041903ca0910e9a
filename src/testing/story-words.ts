// Owns the sentences of a story: one for each kind of fact. Pure: rows and actions in, words out.

import type { JsonObject } from '../core/json.ts'
import { printDuration } from '../core/time/duration-words.ts'
import type { ActionView, AttemptView, ExecutionView } from '../pawl/views.ts'
import type { HistoryRow } from '../store/reader.ts'

export interface Told {
  readonly at: number
  readonly text: string
  /** Of the same fact as the line before it. */
  readonly isMore?: true
}

type Actions = ReadonlyMap<string, ActionView>
type Reference = { readonly id: string; readonly type: string }
type Asked = { readonly id: string; readonly name: string; readonly status: string }
type Timer = { readonly key: string; readonly dueAt: number }

const MAX_VALUE = 120

export const instant = (at: number | string): string =>
  new Date(at).toISOString().replace('T', ' ').replace('.000Z', 'Z')

const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `terminating/after/30d~2` → `30d`. */
const waitIn = (key: string): string => decodeURIComponent(key.split('/')[2]!.replace(/~\d+$/, ''))

/** Its name, and from the second visit on which one asked for it. */
const called = ({ name, stepKey }: ActionView): string => {
  const visit = /~(\d+)$/.exec(stepKey)?.[1]
  return visit === undefined ? name : `${name} (visit ${visit})`
}

const causeOf = ({ type, id }: Reference, from: string | null): string => {
  if (type === 'execution.started') return 'it starts'
  if (type === 'timer.fired') return `${waitIn(id)} in ${from} have passed`
  if (type === 'variables.patched') return 'its variables are changed'
  return type
}

const askedFor = (actions: readonly Asked[], known: Actions): readonly string[] => {
  const nameOf = ({ id, name }: Asked): string => {
    const action = known.get(id)
    return action === undefined ? name : called(action)
  }
  const queued = actions.filter(({ status }) => status === 'queued')
  return [
    ...(queued.length > 0 ? [`it asks for ${listOf(queued.map(nameOf))}`] : []),
    ...actions
      .filter(({ status }) => status !== 'queued')
      .map((action) => {
        const how = action.status === 'skipped' ? 'is skipped' : 'cannot be made'
        return `${nameOf(action)} ${how}: ${known.get(action.id)?.error?.message ?? 'nobody knows why'}`
      }),
  ]
}

const transitioned = ({ at, data }: HistoryRow, known: Actions): readonly Told[] => {
  const { from, to, event, actions, timers } = data as unknown as {
    readonly from: string | null
    readonly to: string
    readonly event: Reference
    readonly actions: readonly Asked[]
    readonly timers: readonly Timer[]
  }
  const way = from === null ? `in ${to}` : from === to ? `it enters ${to} again` : `from ${from} to ${to}`
  const cause = causeOf(event, from)
  return [
    { at, text: from === null ? `${cause} ${way}` : `${cause}: ${way}` },
    ...askedFor(actions, known).map((text) => ({ at, text, isMore: true as const })),
    ...timers.map(({ key, dueAt }) => ({
      at,
      isMore: true as const,
      text: `it waits in ${to} until ${instant(dueAt)} at most (${waitIn(key)})`,
    })),
  ]
}

const REASONS: Readonly<Record<string, string>> = {
  no_transition: 'its state does not listen to it',
  guard_false: 'no condition for it holds',
  stale_timer: 'its state was left meanwhile',
  ended: 'it has ended',
  paused: 'it is paused',
}

const wordsOf = (value: JsonObject | undefined): string =>
  `${value?.['type'] ?? value?.['code']}: ${value?.['message']}`

export const tellRow = (row: HistoryRow, known: Actions): readonly Told[] => {
  const { at, type, data } = row
  const event = (data['event'] ?? { id: '', type }) as Reference
  switch (type) {
    case 'execution.transitioned':
      return transitioned(row, known)
    case 'execution.updated':
      return [
        { at, text: `${causeOf(event, null)}: ${listOf(data['variables'] as readonly string[])} is set` },
      ]
    case 'event.ignored':
      return [
        { at, text: `${event.type} changes nothing: ${REASONS[String(data['reason'])] ?? data['reason']}` },
      ]
    case 'execution.failed':
      return [{ at, text: `${event.type} fails it: ${wordsOf(data['error'] as JsonObject)}` }]
    case 'execution.moved':
      return [{ at, text: 'it goes on by the running version of its definition' }]
    default:
      return [{ at, text: type.replaceAll(/[._]/g, ' ') }]
  }
}

const ends: Readonly<Record<AttemptView['outcome'], string>> = {
  succeeded: 'succeeds',
  failed: 'fails',
  timed_out: 'takes too long',
  cancelled: 'is cancelled',
  lost: 'is lost with its worker',
}

/** What follows an attempt that was not the end. */
const nextAfter = (action: ActionView, index: number): string => {
  const next = action.attempts[index + 1]
  const endedAt = Date.parse(action.attempts[index]!.endedAt!)
  const at = next?.startedAt ?? (action.status === 'queued' ? action.dueAt : undefined)
  if (at !== undefined) {
    const wait = Date.parse(at) - endedAt
    return wait > 0 ? `; again in ${printDuration(wait)}` : '; again at once'
  }
  if (action.status === 'dead') return '; it is a dead letter'
  if (action.status === 'review') return '; a person has to say what happened'
  return ''
}

export const tellAttempts = (action: ActionView): readonly Told[] =>
  action.attempts.map(({ number, outcome, endedAt, startedAt, error }, index) => {
    const what = `${called(action)}, attempt ${number}, ${ends[outcome]}`
    const how =
      outcome === 'succeeded'
        ? ` with ${shown(action.result ?? null)}`
        : `${error ? ` (${error.type}: ${error.message})` : ''}${nextAfter(action, index)}`
    return { at: Date.parse(endedAt ?? startedAt), text: what + how }
  })

export const tellNow = ({ status, state, error }: ExecutionView, actions: Actions): string => {
  const open = [...actions.values()].filter(({ status }) => status === 'queued' || status === 'running')
  const waiting = open.map((action) =>
    action.status === 'running'
      ? `${called(action)} is under way`
      : `${called(action)} is due ${instant(action.dueAt)}`,
  )
  return [
    `now: ${status} in ${state}`,
    ...(error ? [`because ${error.code}: ${error.message}`] : []),
    ...(waiting.length > 0 ? [listOf(waiting.toSorted())] : []),
  ].join('; ')
}
