import { describe, expect, it } from 'vitest'
import type { ActionView } from '../pawl/views.ts'
import type { HistoryRow } from '../store/reader.ts'
import { tellAttempts, tellNow, tellRow } from './story-words.ts'

const row = (type: string, data: HistoryRow['data']): HistoryRow => ({
  execution: 'e',
  number: 1,
  type,
  at: 0,
  data,
  hash: '',
  prevHash: '',
})
const told = (type: string, data: HistoryRow['data']) =>
  tellRow(row(type, data), new Map()).map(({ text }) => text)
const event = { id: 'x', type: 'paid' }

const action = (change: Partial<ActionView>): ActionView =>
  ({
    id: 'a',
    name: 'email',
    stepKey: 'e/s/email',
    attempts: [],
    dueAt: '1970-01-01T00:00:00Z',
    ...change,
  }) as ActionView
const attempt = (outcome: ActionView['attempts'][number]['outcome']) => ({
  number: 1,
  startedAt: '1970-01-01T00:00:00Z',
  endedAt: '1970-01-01T00:00:01Z',
  outcome,
  worker: '',
})

describe('the sentences of a story', () => {
  it.each([
    ['execution.moved', { from: 'a', to: 'b' }, ['it goes on by the running version of its definition']],
    ['execution.updated', { event, variables: ['a', 'b', 'c'] }, ['paid: a, b and c is set']],
    ['event.ignored', { event, reason: 'paused' }, ['paid changes nothing: it is paused']],
    ['event.ignored', { event, reason: 'unheard_of' }, ['paid changes nothing: unheard_of']],
    [
      'execution.failed',
      { event, error: { code: 'action_dead', message: 'm' } },
      ['paid fails it: action_dead: m'],
    ],
    ['execution.was_archived', {}, ['execution was archived']],
  ])('%s %j', (type, data, lines) => {
    expect(told(type, data as HistoryRow['data'])).toEqual(lines)
  })

  it('an action nobody can look up any more is told by its name', () => {
    const actions = [
      { id: 'a', name: 'one', type: 't', status: 'queued' },
      { id: 'b', name: 'two', type: 't', status: 'queued' },
      { id: 'c', name: 'three', type: 't', status: 'dead' },
    ]
    expect(told('execution.transitioned', { from: null, to: 's', event, actions, timers: [] })).toEqual([
      'paid in s',
      'it asks for one and two',
      'three cannot be made: nobody knows why',
    ])
  })

  it('a wait on a second visit, in a state with a slash in its name', () => {
    const timers = [{ key: 'a%2Fb/after/2w~2', dueAt: 0 }]
    expect(told('execution.transitioned', { from: 'x', to: 'a/b', event, actions: [], timers })[1]).toBe(
      'it waits in a/b until 1970-01-01 00:00:00Z at most (2w)',
    )
  })

  it.each([
    ['timed_out', 'review', 'email, attempt 1, takes too long; a person has to say what happened'],
    ['cancelled', 'cancelled', 'email, attempt 1, is cancelled'],
    ['failed', 'dead', 'email, attempt 1, fails; it is a dead letter'],
    ['lost', 'queued', 'email, attempt 1, is lost with its worker; again at once'],
    ['succeeded', 'succeeded', 'email, attempt 1, succeeds with null'],
  ] as const)('an attempt that %s of an action that is %s', (outcome, status, text) => {
    expect(tellAttempts(action({ status, attempts: [attempt(outcome)] }))).toEqual([{ at: 1000, text }])
  })

  it('an attempt that has not ended stands where it began', () => {
    const { endedAt, ...open } = attempt('failed')
    expect(tellAttempts(action({ status: 'running', attempts: [open] }))).toMatchObject([{ at: 0 }])
  })

  it('where it stands', () => {
    const actions = new Map([
      ['a', action({ status: 'running' })],
      ['b', action({ status: 'queued', name: 'sms', stepKey: 'e/s/sms~3' })],
      ['c', action({ status: 'succeeded' })],
    ])
    const execution = { status: 'active', state: 's' } as Parameters<typeof tellNow>[0]
    expect(tellNow(execution, actions)).toBe(
      'now: active in s; email is under way and sms (visit 3) is due 1970-01-01 00:00:00Z',
    )
  })
})
