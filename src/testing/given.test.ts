import { describe, expect, it } from 'vitest'
import { lease, reminders } from '../../test/kit/lease.ts'
import { given } from './given.ts'

const active = given(lease).inState('active', { landlord: 'ada' })

const failureOf = (call: () => unknown): Error & { expected?: unknown; actual?: unknown } => {
  try {
    call()
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

describe('given/when/then', () => {
  it('a machine from code, from its start to its end', () => {
    given(lease)
      .started({ landlord: 'ada' })
      .leadsTo({ state: 'active', status: 'active', actions: [], waits: [] })
      .when('notice.received', { until: '2026-12-31' })
      .leadsTo({
        state: 'notice_received',
        actions: [{ type: 'notify', config: { text: 'until 2026-12-31' } }],
        waits: ['30d'],
      })
      .whenSucceeded('notify', { id: 'm1' }, 'notified')
      .leadsTo({ state: 'terminating', waits: ['30d'] })
      .at('2027-02-01T00:00:00Z')
      .whenPassed('30d')
      .leadsTo({ state: 'terminated', status: 'completed' })
      .when('notice.withdrawn', {})
      .isIgnored('ended')
  })

  it('a machine from a file', () => {
    const open = given(reminders).inState('open', { email: 'ada@example.com' })
    open.when('overdue', { days: 3 }).isIgnored('guard_false')
    open
      .when('overdue', { days: 6 })
      .leadsTo({ state: 'reminded', actions: [{ name: 'email', config: { to: 'ada@example.com' } }] })
      .whenSucceeded('email', { messageId: 'm' }, 'email_sent')
      .leadsTo({ state: 'open', variables: { email: 'ada@example.com' } })
  })

  it('an action may be named by its name alone, and fail', () => {
    active
      .when('notice.received', { until: '2026-12-31' })
      .leadsTo({ actions: ['notify'] })
      .whenFailed('notify', { type: 'rate_limit' })
      .leadsTo({ state: 'stuck' })
    active
      .when('notice.received', { until: '2026-12-31' })
      .leadsTo({})
      .whenFailed('notify')
      .leadsTo({ state: 'stuck' })
  })

  it('a wait is named as it is spelled, or by its length; on a second visit too', () => {
    const noticed = given(lease).inState('notice_received', { landlord: 'ada' })
    noticed.whenPassed('30d').leadsTo({ state: 'terminated' })
    noticed.whenPassed('720h').leadsTo({ state: 'terminated' })
    noticed
      .when('notice.withdrawn', {})
      .leadsTo({ state: 'active' })
      .when('notice.received', { until: '2027-01-01' })
      .leadsTo({ state: 'notice_received' })
      .whenPassed('30d')
      .leadsTo({ state: 'terminated' })
    given(reminders).inState('reminded', { email: 'a' }).whenPassed('14d').leadsTo({ state: 'stuck' })
  })

  it('a result without a name is action.succeeded, and may be no object', () => {
    given(lease)
      .inState('notice_received', { landlord: 'ada' })
      .whenSucceeded('notify', 7)
      .isIgnored('no_transition')
    given(lease).inState('notice_received', { landlord: 'ada' }).whenSucceeded('notify').isIgnored()
  })

  it('what has ended ignores everything', () => {
    given(lease).inState('terminated', { landlord: 'ada' }).when('notice.withdrawn', {}).isIgnored('ended')
  })

  it('the decision and the execution are there to be looked at', () => {
    const { decision } = active.at(0).when('notice.received', { until: '2026-12-31' })
    expect(decision.timers[0]!.dueAt).toBe(30 * 86_400_000)
    expect(active.execution).toMatchObject({ state: 'active', variables: { landlord: 'ada' } })
  })
})

describe('a failure can be read', () => {
  it('shows what was given, what happened, and expected beside actual', () => {
    const outcome = active.when('notice.received', { until: '2026-12-31' })
    const failure = failureOf(() => outcome.leadsTo({ state: 'stuck', waits: ['1d'], actions: ['sms'] }))
    expect(failure.message).toBe(
      [
        'given lease in active with {"landlord":"ada"}',
        'when notice.received {"until":"2026-12-31"}',
        '  expected state: "stuck"',
        '  actual   state: "notice_received"',
        '  expected waits.0: "1d"',
        '  actual   waits.0: "30d"',
        '  expected actions.0: "sms"',
        '  actual   actions.0: "notify"',
      ].join('\n'),
    )
    expect(failure.expected).toEqual({ state: 'stuck', 'waits.0': '1d', 'actions.0': 'sms' })
    expect(failure.actual).toEqual({ state: 'notice_received', 'waits.0': '30d', 'actions.0': 'notify' })
  })

  it('says that an event was ignored, and why', () => {
    const outcome = active.when('notice.withdrawn', {})
    expect(failureOf(() => outcome.leadsTo({ state: 'active' })).message).toMatch(
      /expected applied: true\n {2}actual {3}applied: false\n {2}the event was ignored: no_transition$/,
    )
    expect(failureOf(() => outcome.isIgnored('ended')).message).toContain('expected reason: "ended"')
    expect(
      failureOf(() => active.when('notice.received', { until: '2026-12-31' }).isIgnored()).message,
    ).toContain('expected applied: false')
  })

  it('tells a missing member, a list of another length, and the whole way', () => {
    const noticed = active.when('notice.received', { until: '2026-12-31' })
    expect(failureOf(() => noticed.leadsTo({ variables: { tenant: 'bob' } })).message).toContain(
      'expected variables.tenant: "bob"\n  actual   variables.tenant: nothing',
    )
    const config = { to: 'bob' }
    expect(failureOf(() => noticed.leadsTo({ actions: [{ config }] })).message).toContain(
      'expected actions.0.config.to: "bob"',
    )
    expect(failureOf(() => noticed.leadsTo({ actions: [] })).message).toContain('expected actions: []')
    const later = noticed.leadsTo({}).whenPassed('30d')
    expect(failureOf(() => later.leadsTo({ state: 'stuck' })).message).toContain(
      'given lease in active with {"landlord":"ada"}, then notice.received',
    )
  })
})

describe('what cannot be given', () => {
  it('W1: an event that could not be sent', () => {
    expect(() => active.when('notice.received', { until: 'soon' })).toThrow(
      expect.objectContaining({ code: 'event_invalid' }),
    )
  })

  it.each([
    [() => given(reminders).inState('opn', { email: 'a' }), 'open'],
    [() => given(reminders).inState('reminded', { email: 'a' }).whenPassed('3w'), undefined],
    [() => active.whenPassed('1d'), undefined],
  ])('a state or a wait that is not there (%#)', (call, suggestion) => {
    expect(call).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    if (suggestion)
      expect(call).toThrow(expect.objectContaining({ details: expect.objectContaining({ suggestion }) }))
  })

  it('variables that do not fit', () => {
    expect(() => given(reminders).inState('open', {})).toThrow(
      expect.objectContaining({ code: 'variables_invalid' }),
    )
  })

  it('does not compile', () => {
    // @ts-expect-error there is no such state
    expect(() => given(lease).inState('actve', { landlord: 'ada' })).toThrow('no state')
    // @ts-expect-error there is no such event
    active.when('notice.recieved', {}).isIgnored()
    // @ts-expect-error nor such a state to lead to
    expect(() => active.when('notice.withdrawn', {}).leadsTo({ state: 'over' })).toThrow()
  })
})
