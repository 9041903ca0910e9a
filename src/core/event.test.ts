import { describe, expect, it } from 'vitest'
import { droppedEvent, failedEvent, startedEvent, succeededEvent } from './event.ts'

const action = { id: 'act_1', name: 'send_notice', settlement: 2 }

describe('events', () => {
  it('a start carries the input', () => {
    expect(startedEvent('l_882', { landlord: 'ada' }, 7)).toEqual({
      id: 'l_882/started',
      type: 'execution.started',
      payload: { landlord: 'ada' },
      at: 7,
    })
  })

  it('what came to nothing says so, and is no failure', () => {
    expect(droppedEvent(action, 'cancelled', 7)).toEqual({
      id: 'act_1/2',
      type: 'action.cancelled',
      payload: { actionId: 'send_notice' },
      at: 7,
      action: { id: 'act_1', name: 'send_notice', ended: 'cancelled' },
    })
  })

  it('F-071: a result is flat, names its action by the definition, and has the settlement in its id', () => {
    const said = { type: 'email_sent', payload: { messageId: 'm1', recipients: 'a@b.co' } }
    expect(succeededEvent(action, { messageId: 'm1' }, said, 7)).toEqual({
      id: 'act_1/2',
      type: 'email_sent',
      payload: {
        messageId: 'm1',
        recipients: 'a@b.co',
        actionId: 'send_notice',
        result: { messageId: 'm1' },
      },
      at: 7,
      action: { id: 'act_1', name: 'send_notice', ended: 'succeeded' },
    })
  })

  it('a dead or reviewed action is action.failed with its error', () => {
    const error = { type: 'rate_limit', message: 'throttled', retryable: true }
    expect(failedEvent(action, 'review', error, 7)).toEqual({
      id: 'act_1/2',
      type: 'action.failed',
      payload: { actionId: 'send_notice', error },
      at: 7,
      action: { id: 'act_1', name: 'send_notice', ended: 'review' },
    })
  })
})
