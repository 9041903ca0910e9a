import { describe, expect, it } from 'vitest'
import { scopeOf } from './scope.ts'

const now = Date.UTC(2026, 10, 16, 9, 30, 1, 7)
const variables = { landlord: 'ada' }
const execution = { id: 'l_882', state: 'active', variables }
const event = { id: 'evt_1', type: 'notice.received', payload: { until: '2026-12-31' }, at: 7 }

describe('F-020: the scope', () => {
  it('has the real names', () => {
    const scope = scopeOf({ execution, event, now })
    expect(scope['execution']).toBe(execution)
    expect(scope['variables']).toBe(variables)
    expect(scope['event']).toEqual(event)
    expect(scope['now']).toBe('2026-11-16T09:30:01.007Z')
  })

  it('has aliases that are the same data, not copies', () => {
    const { context, subject, message, event: named } = scopeOf({ execution, event, now })
    expect([context, subject]).toEqual([variables, variables])
    expect(context).toBe(variables)
    expect(subject).toBe(variables)
    expect(message).toBe(named)
    expect((named as { data: unknown }).data).toBe(event.payload)
    expect((message as { payload: unknown }).payload).toBe(event.payload)
  })

  it('hides event.data, so that a whole event does not carry its payload twice', () => {
    const { event: named } = scopeOf({ execution, event, now })
    expect(Object.keys(named as object)).toEqual(['id', 'type', 'payload', 'at'])
    expect(Object.keys(event)).not.toContain('data')
    expect(JSON.stringify(named)).toBe(JSON.stringify(event))
  })

  it('leaves out what there is not', () => {
    expect(Object.keys(scopeOf({ now }))).toEqual(['now'])
    expect(Object.keys(scopeOf({ execution, event: undefined, now }))).toEqual([
      ...['execution', 'variables', 'context', 'subject', 'now'],
    ])
    expect(Object.keys(scopeOf({ event, now }))).toEqual(['event', 'message', 'now'])
  })

  it('takes the roots of a trigger, which never hide a real name', () => {
    const extra = { recurring_id: 'r1', now: 'never', execution: 'mine', message: null }
    expect(scopeOf({ execution, event, now, extra })).toMatchObject({
      recurring_id: 'r1',
      now: '2026-11-16T09:30:01.007Z',
      execution,
      message: event,
    })
  })
})
