// F-092 by behaviour: which failures wake somebody, once per cause and window, through which channels; and the rules that
// take dead letters off people's hands.

import { expect, it } from 'vitest'
import { permanent } from '../../src/index.ts'
import { at, HOUR, NOW, onEachShared, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

const failing = (type: string) =>
  spy(type, () => {
    throw permanent('refused', 'no such account')
  })

onEachStore('alerts', (bed) => {
  it.each([
    ['mail', 91, 1],
    ['mail', 90, 0],
    ['blockchain_mint', 10, 1],
    ['mail', 100, 1],
  ] as const)('F-092: a dead %s of priority %i raises %i', async (type, priority, count) => {
    const runner = failing(type)
    const pawl = await bed.open({ runners: [runner] })
    const { id } = await pawl.dispatch(runner({}, { priority, delivery: 'at_least_once' }))
    await settle(pawl)
    const { data } = await pawl.alerts.list()
    expect(data).toHaveLength(count)
    if (count > 0)
      expect(data[0]).toMatchObject({
        type: 'action_failed',
        severity: 'high',
        count: 1,
        firstAt: at(0),
        details: {
          actionId: id,
          actionType: type,
          priority,
          error: { type: 'refused', message: 'no such account' },
        },
      })
  })

  it('one alert per cause and window, with a count; a line of the feed once', async () => {
    const mail = failing('mail')
    const pawl = await bed.open({ runners: [mail], alerts: { window: '1h' } })
    for (let n = 0; n < 5; n++) await pawl.dispatch(mail({ n }, { priority: 95 }))
    await settle(pawl)
    expect((await pawl.alerts.list()).data).toMatchObject([{ count: 5 }])
    await pawl.advance({ by: '1h' })
    await pawl.dispatch(mail({}, { priority: 95 }))
    await settle(pawl)
    expect((await pawl.alerts.list()).data).toMatchObject([{ count: 1, firstAt: at(HOUR) }, { count: 5 }])
    const told: unknown[] = []
    for await (const { type, data } of pawl.watch())
      if (type === 'alert') {
        told.push(data['id'])
        if (told.length === 2) break
      }
    expect(new Set(told).size).toBe(2)
  })

  it('acknowledged once, by name, and then no longer open', async () => {
    const mail = failing('mail')
    const pawl = await bed.open({ runners: [mail] })
    await pawl.dispatch(mail({}, { priority: 95 }))
    await settle(pawl)
    const [alert] = (await pawl.alerts.list({ open: true })).data
    expect(await pawl.alerts.acknowledge(alert!.id, 'ada')).toMatchObject({
      acknowledgedBy: 'ada',
      acknowledgedAt: at(0),
    })
    expect((await pawl.alerts.list({ open: true })).data).toEqual([])
    expect((await pawl.alerts.list({ open: false })).data).toHaveLength(1)
    await expect(pawl.alerts.acknowledge(alert!.id)).rejects.toMatchObject({ code: 'alert_conflict' })
    await expect(pawl.alerts.acknowledge('alr_x')).rejects.toMatchObject({ code: 'alert_not_found' })
    await expect(pawl.tenant('other').alerts.acknowledge(alert!.id)).rejects.toMatchObject({
      code: 'alert_not_found',
    })
  })

  it('channels are ordinary actions, told once, with the alert in their config; only the tenant’s own', async () => {
    const mail = failing('mail')
    const hook = spy('webhook')
    const pager = spy('pager')
    const channels = [
      { type: 'webhook', url: 'https://ops.example/alert' },
      { type: 'webhook', url: 'https://other.example', tenant: 'other' },
      { type: 'pager', line: '{{alert.details.name}}/{{alert.severity}}' },
    ]
    const pawl = await bed.open({ runners: [mail, hook, pager], alerts: { channels } })
    for (let n = 0; n < 3; n++)
      await pawl.dispatch(mail({ n, text: '{{secrets.x}}' }, { priority: 99, name: 'pay {{now}}' }))
    await settle(pawl)
    const [alert] = (await pawl.alerts.list()).data
    expect(hook.calls.map(({ config }) => config)).toMatchObject([
      {
        url: 'https://ops.example/alert',
        payload: { id: alert!.id, type: 'action_failed', severity: 'high' },
      },
    ])
    expect(pager.calls.map(({ config }) => config)).toEqual([{ line: 'pay {{now}}/high' }])
  })

  it('an alert that cannot be delivered raises none, and becomes a dead letter', async () => {
    const broken = (): never => {
      throw new Error('a mistake in a channel')
    }
    const mint = failing('blockchain_mint')
    const pawl = await bed.open({
      runners: [mint],
      alerts: { channels: [() => mint({ alert: true }), () => undefined, broken] },
    })
    await pawl.dispatch(mint({}, { delivery: 'at_least_once' }))
    await settle(pawl)
    expect((await pawl.alerts.list()).data).toMatchObject([{ count: 1 }])
    expect((await pawl.counts()).actions.dead).toBeGreaterThanOrEqual(2)
  })

  it('an action born dead raises one too', async () => {
    const { loadDefinition } = await import('../../src/definitions/parse.ts')
    const [definition] = loadDefinition({
      kind: 'machine',
      id: 'm',
      initial: 'a',
      states: {
        a: { enter: [{ type: 'mail', priority: 95, config: { to: '{{execution.variables.nobody}}' } }] },
      },
    }).definitions
    const pawl = await bed.open({ definitions: [definition as never] })
    await pawl.start('m', { id: 'x' })
    expect((await pawl.alerts.list()).data).toMatchObject([
      { details: { executionId: 'x', error: { type: 'invalid_configuration' } } },
    ])
  })
})

onEachShared('rules for dead letters', (bed) => {
  it('M-09: retried after an hour for as long as its rule says, archived after a month', async () => {
    const mail = failing('mail')
    const rules = [
      {
        match: { type: 'mail', errorType: 'refused' },
        retryAfter: '1h',
        within: '2h30m',
        archiveAfter: '30d',
      },
      { match: { type: 'other' }, archiveAfter: '1ms' },
    ]
    const options = { runners: [mail], deadLetters: { rules } }
    const pawl = await bed.open(options)
    const { id } = await pawl.dispatch(mail({}))
    await settle(pawl)
    const status = async () => (await pawl.actions.get(id))!
    for (const [hours, calls] of [
      [0.5, 1],
      [1, 2],
      [2, 3],
      [3, 3],
      [48, 3],
    ] as const) {
      await pawl.advance({ to: NOW + hours * HOUR })
      await settle(pawl)
      expect([hours, mail.calls.length]).toEqual([hours, calls])
    }
    expect((await status()).archivedAt).toBeUndefined()
    await pawl.advance({ to: NOW + 32 * 24 * HOUR })
    expect((await status()).archivedAt).toBeDefined()
  })

  it.each([
    [[{}], 'deadLetters.rules.0'],
    [[{ retryAfter: 0 }], 'deadLetters.rules.0.retryAfter'],
    [[{ retryAfter: 'soon' }], 'deadLetters.rules.0.retryAfter'],
  ])('%o is refused, and says where', async (rules, path) => {
    await expect(bed.open({ deadLetters: { rules } })).rejects.toMatchObject({ details: { path } })
  })
})
