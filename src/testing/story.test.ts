import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lease, notify, reminders } from '../../test/kit/lease.ts'
import { machine } from '../definitions/machine.ts'
import { mockRunner } from './mock.ts'
import { story } from './story.ts'
import { testPawl } from './test-pawl.ts'

const open = () => testPawl({ definitions: [lease], runners: [notify], now: '2026-12-01T09:00:00Z' })
const ada = { id: 'l_882', variables: { landlord: 'ada' } } as const

describe('the story of an execution', () => {
  it('is what a person would tell', async () => {
    await using pawl = await open()
    pawl.mock(notify, { succeed: { id: 'msg_7' }, fail: { times: 1, error: 'rate_limit' } })
    const run = await pawl.start(lease, ada)
    await pawl.advance({ by: '1m' })
    await run.send('notice.received', { until: '2026-12-31' })
    await pawl.executions.patch('l_882', { landlord: 'bob' })
    await pawl.advance({ by: '40d' })
    await run.send('notice.received', { until: '2027-12-31' })
    expect(await pawl.story('l_882')).toMatchInlineSnapshot(`
      "lease l_882
      2026-12-01 09:00:00Z      it starts in active
      2026-12-01 09:01:00Z      notice.received: from active to notice_received
                                it asks for notify
                                it waits in notice_received until 2026-12-31 09:01:00Z at most (30d)
      2026-12-01 09:01:00Z      its variables are changed: landlord is set
      2026-12-01 09:01:00Z      notify, attempt 1, fails (rate_limit: the mock was told to fail with rate_limit); again in 858ms
      2026-12-01 09:01:00.858Z  notify, attempt 2, succeeds with {"id":"msg_7"}
      2026-12-01 09:01:00.858Z  notified: from notice_received to terminating
                                it waits in terminating until 2026-12-31 09:01:00.858Z at most (30d)
      2026-12-31 09:01:00.858Z  30d in terminating have passed: from terminating to terminated
      2027-01-10 09:01:00Z      notice.received changes nothing: it has ended
      now: completed in terminated"
    `)
    expect(await story(pawl, 'l_882')).toBe(await pawl.story('l_882'))
  })

  it('tells dead letters, lost workers, second visits and what it waits for', async () => {
    await using pawl = await open()
    pawl.mock(notify, { fail: { error: 'authentication_failed' } })
    const run = await pawl.start(lease, ada)
    await run.send('notice.received', { until: '2026-12-31' })
    await run.send('notice.withdrawn', {})
    await run.send('notice.received', { until: '2027-01-31' })
    pawl.crash({ at: 'before effect' })
    await expect(pawl.advance({ by: '1d' })).rejects.toThrow('stopped dead')
    await pawl.restart()
    await pawl.advance({ by: '1d' })
    expect(await pawl.story('l_882')).toMatchInlineSnapshot(`
      "lease l_882
      2026-12-01 09:00:00Z  it starts in active
      2026-12-01 09:00:00Z  notice.received: from active to notice_received
                            it asks for notify
                            it waits in notice_received until 2026-12-31 09:00:00Z at most (30d)
      2026-12-01 09:00:00Z  notice.withdrawn: from notice_received to active
      2026-12-01 09:00:00Z  notice.received: from active to notice_received
                            it asks for notify (visit 2)
                            it waits in notice_received until 2026-12-31 09:00:00Z at most (30d)
      2026-12-01 09:00:00Z  notify, attempt 1, is lost with its worker; again at once
      2026-12-01 09:00:00Z  notify, attempt 2, fails (authentication_failed: the mock was told to fail with authentication_failed); it is a dead letter
      2026-12-01 09:00:00Z  action.failed: from notice_received to stuck
      2026-12-01 09:00:00Z  notify (visit 2), attempt 1, is lost with its worker; again at once
      2026-12-01 09:00:00Z  notify (visit 2), attempt 2, fails (authentication_failed: the mock was told to fail with authentication_failed); it is a dead letter
      2026-12-01 09:00:00Z  action.failed changes nothing: its state does not listen to it
      now: active in stuck"
    `)
  })

  it('tells what is still to come', async () => {
    await using pawl = await open()
    pawl.mock(notify, { fail: { error: 'rate_limit' } })
    const run = await pawl.start(lease, ada)
    await run.send('notice.received', { until: '2026-12-31' })
    await pawl.advance({ by: 0 })
    expect(await pawl.story('l_882')).toMatchInlineSnapshot(`
      "lease l_882
      2026-12-01 09:00:00Z  it starts in active
      2026-12-01 09:00:00Z  notice.received: from active to notice_received
                            it asks for notify
                            it waits in notice_received until 2026-12-31 09:00:00Z at most (30d)
      2026-12-01 09:00:00Z  notify, attempt 1, fails (rate_limit: the mock was told to fail with rate_limit); again in 858ms
      now: active in notice_received; notify is due 2026-12-01 09:00:00.858Z"
    `)
  })

  it('of a machine from a file: guards, and actions that could not be made', async () => {
    await using pawl = await testPawl({ definitions: [reminders], runners: [mockRunner('email')] })
    await pawl.start('reminders', { id: 'r_1', variables: { email: 'ada@example.com' } })
    await pawl.send('r_1', 'overdue', { days: 1 })
    await pawl.send('r_1', 'overdue', { days: 6 })
    await pawl.advance({ by: '1d' })
    expect(await pawl.story('r_1')).toMatchInlineSnapshot(`
      "reminders r_1
      2026-01-01 00:00:00Z  it starts in open
      2026-01-01 00:00:00Z  overdue changes nothing: no condition for it holds
      2026-01-01 00:00:00Z  overdue: from open to reminded
                            it asks for email
                            it waits in reminded until 2026-01-15 00:00:00Z at most (2w)
      2026-01-01 00:00:00Z  email, attempt 1, succeeds with {"messageId":"msg_1","recipients":["ada@example.com"],"template":"overdue"}
      2026-01-01 00:00:00Z  email_sent: from reminded to open
      now: active in open"
    `)
  })

  it('of code that throws, of skipped actions, of a long result', async () => {
    const odd = machine({
      id: 'odd',
      events: { go: z.object({}), skip: z.object({}), again: z.object({}) },
      uses: [notify],
      initial: 'one',
      states: {
        one: { on: { go: 'two', skip: 'three', again: 'one' } },
        two: {
          enter: () => notify({ to: 'a', text: 'b' }, { name: 'hello' }),
          on: {
            notified: {
              to: 'three',
              when: () => {
                throw new Error('a slip')
              },
            },
          },
        },
        three: { enter: () => notify({ to: 'a', text: 'b' }, { condition: false }) },
      },
    })
    await using pawl = await testPawl({ definitions: [odd], runners: [notify] })
    pawl.mock(notify, { succeed: { id: 'x'.repeat(300) } })
    const run = await pawl.start(odd, { id: 'o_1', variables: {} })
    await run.send('again', {})
    await run.send('go', {})
    await pawl.advance({ by: '1s' })
    const other = await pawl.start(odd, { id: 'o_2', variables: {} })
    await other.send('skip', {})
    expect(await pawl.story('o_1')).toMatchInlineSnapshot(`
      "odd o_1
      2026-01-01 00:00:00Z  it starts in one
      2026-01-01 00:00:00Z  again: it enters one again
      2026-01-01 00:00:00Z  go: from one to two
                            it asks for hello
      2026-01-01 00:00:00Z  hello, attempt 1, succeeds with {"id":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
      2026-01-01 00:00:00Z  notified fails it: decide_failed: odd threw: a slip
      now: failed in two; because decide_failed: odd threw: a slip"
    `)
    expect(await pawl.story('o_2')).toMatchInlineSnapshot(`
      "odd o_2
      2026-01-01 00:00:01Z  it starts in one
      2026-01-01 00:00:01Z  skip: from one to three
                            notify is skipped: its condition did not hold
      now: active in three"
    `)
  })

  it('of more than one page of history', async () => {
    await using pawl = await open()
    const run = await pawl.start(lease, ada)
    for (let count = 0; count < 260; count++) await run.send('notice.withdrawn', {}, { id: `evt_${count}` })
    expect((await pawl.story('l_882')).split('\n')).toHaveLength(1 + 261 + 1)
  })

  it('of nobody is refused', async () => {
    await using pawl = await open()
    await expect(pawl.story('nobody')).rejects.toMatchObject({ code: 'execution_not_found' })
  })
})
