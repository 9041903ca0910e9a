import { expect, it } from 'vitest'
import { alertOf, type FailedAction, type OverdueRecurrence, overdueAlert } from './alert.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

const failed = (over: Partial<FailedAction> = {}): FailedAction => ({
  namespace: 'default',
  tenant: 'acme',
  id: 'act_1',
  name: 'pay',
  type: 'mail',
  priority: 95,
  status: 'dead',
  execution: null,
  attempt: 3,
  error: { type: 'timeout', message: 'timed out', retryable: true },
  fingerprint: 'f1',
  isAlert: false,
  ...over,
})

it.each([
  [{ priority: 90 }, false],
  [{ priority: 91 }, true],
  [{ priority: 0, type: 'blockchain_mint' }, true],
  [{ isAlert: true }, false],
  [{ isAlert: true, type: 'blockchain_mint' }, false],
])('F-092: %o calls for a person: %s', (over, raised) =>
  expect(alertOf(failed(over), NOW, HOUR) !== undefined).toBe(raised),
)

it('F-092: it says what failed, and how', () => {
  const error = { type: 'refused', message: 'no', retryable: false, code: 'HTTP_404' }
  expect(alertOf(failed({ execution: 'x', error }), NOW, HOUR)).toEqual({
    id: expect.stringMatching(/^alr_[a-z2-7]{26}$/),
    type: 'action_failed',
    severity: 'high',
    cause: 'f1',
    details: {
      actionId: 'act_1',
      name: 'pay',
      actionType: 'mail',
      priority: 95,
      status: 'dead',
      attempt: 3,
      executionId: 'x',
      error: { type: 'refused', message: 'no', code: 'HTTP_404' },
    },
  })
})

it('one id per cause, tenant and window', () => {
  const id = (over: Partial<FailedAction> = {}, at = NOW, window = HOUR) =>
    alertOf(failed(over), at, window)!.id
  expect(id({ id: 'act_2', attempt: 1 }, NOW + HOUR - 1)).toBe(id())
  const others = [
    id({ fingerprint: 'f2' }),
    id({ tenant: 'b' }),
    id({ namespace: 'b' }),
    id({}, NOW + HOUR),
    id({}, NOW, HOUR / 2),
  ]
  expect(new Set([id(), ...others]).size).toBe(6)
  expect(alertOf(failed(), NOW, HOUR)!.details).not.toHaveProperty('executionId')
})

it('a recurrence that is overdue: one alert per recurrence and window, saying what is amiss', () => {
  const overdue = { namespace: 'default', tenant: 'acme', id: 'daily', nextAt: NOW, hasTimer: true }
  const alert = overdueAlert(overdue, NOW, HOUR)
  expect(alert).toMatchObject({
    type: 'recurrence_overdue',
    severity: 'high',
    cause: 'recurrence_overdue/daily',
  })
  expect(overdueAlert(overdue, NOW + 1, HOUR).id).toBe(alert.id)
  expect(overdueAlert({ ...overdue, id: 'other' }, NOW, HOUR).id).not.toBe(alert.id)
  expect(overdueAlert(overdue, NOW + HOUR, HOUR).id).not.toBe(alert.id)
  const message = (over: Partial<OverdueRecurrence>) =>
    overdueAlert({ ...overdue, ...over }, NOW, HOUR).details['error']
  expect(message({})).toMatchObject({ message: 'nothing fired it at 2027-01-15T08:00:00.000Z' })
  expect(message({ hasTimer: false, nextAt: null })).toMatchObject({
    message: 'no timer was armed for its end',
  })
})
