import { afterEach, describe, expect, it, vi } from 'vitest'
import { lease, notify, reminders } from '../../test/kit/lease.ts'
import { mockRunner } from './mock.ts'
import { testPawl } from './test-pawl.ts'

const NINE = '2026-12-01T09:00:00Z'
const ada = { id: 'l_1', variables: { landlord: 'ada' } } as const
const open = () => testPawl({ definitions: [lease], runners: [notify], now: NINE })

afterEach(() => vi.unstubAllEnvs())

describe('a Pawl for one test', () => {
  it('starts where it is told and stands until it is moved', async () => {
    await using pawl = await open()
    expect(new Date(pawl.now()).toISOString()).toBe('2026-12-01T09:00:00.000Z')
    await pawl.start(lease, ada)
    await pawl.send('l_1', 'notice.received', { until: '2026-12-31' })
    expect(pawl.performed()).toEqual([])
    await pawl.advance({ by: '31d' })
    expect(new Date(pawl.now()).toISOString()).toBe('2027-01-01T09:00:00.000Z')
    expect(await pawl.executions.get('l_1')).toMatchObject({ state: 'terminated', status: 'completed' })
  })

  it('by default stands at the beginning of 2026, with nothing known', async () => {
    await using pawl = await testPawl()
    expect(new Date(pawl.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    await expect(pawl.start('lease')).rejects.toMatchObject({ code: 'definition_unknown' })
  })

  it('two share neither time nor data nor recordings', async () => {
    await using one = await open()
    await using other = await open()
    await one.start(lease, ada)
    await one.send('l_1', 'notice.received', { until: '2026-12-31' })
    await one.advance({ by: '1d' })
    expect(one.performed(notify)).toHaveLength(1)
    expect(other.performed(notify)).toEqual([])
    expect(await other.executions.get('l_1')).toBeUndefined()
    expect(other.now()).toBe(Date.parse(NINE))
  })

  it('is the same every time: ids, keys and all', async () => {
    const run = async () => {
      await using pawl = await open()
      await pawl.start(lease, { variables: { landlord: 'ada' } })
      const [execution] = (await pawl.executions.list()).data
      await pawl.send(execution!.id, 'notice.received', { until: '2026-12-31' })
      await pawl.advance({ by: '1d' })
      return [execution, (await pawl.actions.list()).data, pawl.performed()]
    }
    expect(await run()).toEqual(await run())
  })

  it('knows nothing of the environment it runs in', async () => {
    vi.stubEnv('PAWL_SECRET_MAIL_KEY', 'hunter2hunter2')
    const asking = mockRunner('asking', { respond: ({ ctx }) => ctx.secret('mail_key') })
    await using pawl = await testPawl({ runners: [asking] })
    await pawl.dispatch({ type: 'asking', config: {}, options: { retryPolicy: { maxAttempts: 1 } } })
    await pawl.advance({ by: '1s' })
    expect(await pawl.deadLetters()).toMatchObject([{ error: { code: 'secret_not_found' } }])
  })

  it('gives secrets that the test gives', async () => {
    const asking = mockRunner('asking', { respond: ({ ctx }) => ctx.secret('mail_key') })
    const env = { PAWL_SECRET_MAIL_KEY: 'hunter2hunter2' }
    await using pawl = await testPawl({ runners: [asking], secrets: { env } })
    await pawl.dispatch({ type: 'asking', config: {}, options: {} })
    await pawl.advance({ by: '1s' })
    expect(asking.interactions).toMatchObject([{ outcome: 'succeeded', result: 'hunter2hunter2' }])
  })
})

describe('mocks in it', () => {
  it('run the real runner until they are told otherwise', async () => {
    await using pawl = await open()
    await pawl.dispatch(notify({ to: 'a', text: 'b' }))
    await pawl.advance({ by: '1s' })
    const mock = pawl.mock(notify, { succeed: { id: 'mocked' } })
    await pawl.dispatch(notify({ to: 'a', text: 'b' }))
    await pawl.advance({ by: '1s' })
    expect(pawl.performed(notify).map(({ result }) => result)).toEqual([{ id: 'real' }, { id: 'mocked' }])
    expect(mock.interactions).toEqual(pawl.performed())
  })

  it('F-110: stand in by type for definitions in data', async () => {
    const email = mockRunner('email')
    await using pawl = await testPawl({ definitions: [reminders], runners: [email] })
    await pawl.start('reminders', { id: 'r_1', variables: { email: 'ada@example.com' } })
    await pawl.send('r_1', 'overdue', { days: 6 })
    await pawl.advance({ by: '1s' })
    expect(email.interactions).toMatchObject([{ config: { to: 'ada@example.com', template: 'overdue' } }])
    expect(await pawl.executions.get('r_1')).toMatchObject({ state: 'open' })
  })

  it('performed: of one type, by its name or its runner, in the order of the calls', async () => {
    await using pawl = await testPawl({ runners: [mockRunner('sms'), mockRunner('email')] })
    for (const type of ['email', 'sms', 'email']) {
      await pawl.dispatch({ type, config: { type }, options: {} })
      await pawl.advance({ by: '1s' })
    }
    expect(pawl.performed().map(({ type }) => type)).toEqual(['email', 'sms', 'email'])
    expect(pawl.performed('email')).toHaveLength(2)
    expect(pawl.performed({ type: 'sms' })).toHaveLength(1)
  })

  it('a mock that two tests share records for both; performed is one test’s own', async () => {
    const email = mockRunner('email')
    for (const count of [1, 2]) {
      await using pawl = await testPawl({ runners: [email] })
      await pawl.dispatch({ type: 'email', config: {}, options: {} })
      await pawl.advance({ by: '1s' })
      expect([pawl.performed().length, email.interactions.length]).toEqual([1, count])
    }
  })

  it('what a Pawl refuses it refuses, and may be closed more than once', async () => {
    const runners = [mockRunner('email'), mockRunner('email')]
    await expect(testPawl({ runners })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(testPawl({ now: 'soon' })).rejects.toMatchObject({ name: 'PawlError' })
    const calendars = { office: {} }
    await expect(testPawl({ calendars })).rejects.toMatchObject({ code: 'invalid_window' })
    await using pawl = await testPawl()
    await pawl.close()
    await pawl.close()
  })

  it('a type that is not here is refused with the nearest one', async () => {
    await using pawl = await open()
    expect(() => pawl.mock('notfy')).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        details: expect.objectContaining({ suggestion: 'notify', path: 'runners' }),
      }),
    )
  })

  it('dead letters are those of the test, and the log what the engine said', async () => {
    await using pawl = await open()
    pawl.mock(notify, { fail: { error: 'authentication_failed' } })
    await pawl.dispatch(notify({ to: 'a', text: 'b' }))
    await pawl.advance({ by: '1s' })
    expect(await pawl.deadLetters()).toMatchObject([
      { type: 'notify', error: { type: 'authentication_failed' } },
    ])
    const logging = mockRunner('logging', {
      respond: ({ ctx }) => {
        ctx.log.info('hello', { n: 1 })
        return {}
      },
    })
    await using other = await testPawl({ runners: [logging] })
    await other.dispatch({ type: 'logging', config: {}, options: {} })
    await other.advance({ by: '1s' })
    expect(other.log).toMatchObject([{ level: 'info', message: 'hello', fields: { n: 1, type: 'logging' } }])
  })
})
