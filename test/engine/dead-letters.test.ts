import { expect, it } from 'vitest'
import { permanent } from '../../src/index.ts'
import { at, NOW, onEachStore } from './bed.ts'
import { only, settle, spy } from './spies.ts'

onEachStore('dead letters', (bed) => {
  const begin = async (count: number) => {
    const state = { isMended: false }
    const mail = spy('mail', ({ config }) => {
      if (!state.isMended) throw permanent('malformed_request', `no such address ${JSON.stringify(config)}`)
      return 'sent'
    })
    const pawl = await bed.open({ runners: [mail] })
    const ids: string[] = []
    for (let index = 0; index < count; index++) ids.push((await pawl.dispatch(mail({ index }))).id)
    await settle(pawl)
    return { pawl, mail, state, ids }
  }

  it('F-090, F-091: the list has the action, its reason, when, and how often it was tried', async () => {
    const { pawl, ids } = await begin(2)
    const { data } = await pawl.actions.list({ status: 'dead' })
    expect(data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(data[0]).toMatchObject({
      error: { type: 'malformed_request', retryable: false },
      attempt: 1,
      finishedAt: at(0),
      config: { index: expect.any(Number) },
    })
  })

  it('groups: failures of one cause are one group, with how many and since when', async () => {
    const { pawl } = await begin(3)
    await pawl.advance({ by: '1h' })
    expect(await pawl.actions.groups()).toMatchObject([
      { actionType: 'mail', errorType: 'malformed_request', count: 3, firstAt: NOW, lastAt: NOW },
    ])
    const { fingerprint } = (await pawl.actions.groups())[0]!
    expect((await pawl.actions.list({ fingerprint })).data).toHaveLength(3)
  })

  it('groups: one message from two places in the code is two causes, and an alert names the same', async () => {
    const render = (): never => {
      throw permanent('malformed_request', 'no')
    }
    const send = (): never => {
      throw permanent('malformed_request', 'no')
    }
    const mail = spy('mail', ({ config }) => (config === 'render' ? render() : send()))
    const pawl = await bed.open({ runners: [mail] })
    for (const where of ['render', 'send', 'send']) await pawl.dispatch(mail(where, { priority: 91 }))
    await settle(pawl)
    const groups = await pawl.actions.groups()
    expect(groups.map(({ count }) => count).toSorted()).toEqual([1, 2])
    const alerts = await pawl.alerts.list()
    const counted = (each: { readonly count: number }, id: string): string => `${id} ${each.count}`
    expect(alerts.data.map((each) => counted(each, each.cause)).toSorted()).toEqual(
      groups.map((each) => counted(each, each.fingerprint)).toSorted(),
    )
  })

  it('F-090: retry runs it again under the same key, and the group is empty', async () => {
    const { pawl, mail, state, ids } = await begin(1)
    state.isMended = true
    await pawl.actions.retry(ids[0]!)
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', attempt: 2 })
    expect(mail.calls[1]!.key).toBe(mail.calls[0]!.key)
    expect(await pawl.actions.groups()).toEqual([])
  })

  it('a retry has all attempts of its policy again', async () => {
    const mail = spy('mail', () => {
      throw new Error('down')
    })
    const pawl = await bed.open({ runners: [mail] })
    const { id } = await pawl.dispatch(
      mail({}, { retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed' } }),
    )
    await pawl.advance({ by: '1m' })
    expect(mail.calls).toHaveLength(2)
    await pawl.actions.retry(id)
    await pawl.advance({ by: '1m' })
    expect(mail.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
    expect((await only(pawl)).status).toBe('dead')
  })

  it('F-090: archived it is out of the list and the groups, and can still be read', async () => {
    const { pawl, ids } = await begin(1)
    await pawl.actions.archive(ids[0]!)
    expect((await pawl.actions.list({ status: 'dead' })).data).toEqual([])
    expect(await pawl.actions.groups()).toEqual([])
    expect(await pawl.actions.get(ids[0]!)).toMatchObject({ status: 'dead', archivedAt: at(0) })
    expect(await pawl.counts()).toMatchObject({ archived: 1, actions: { dead: 0 } })
    await expect(pawl.actions.retry(ids[0]!)).rejects.toMatchObject({ code: 'action_conflict' })
  })

  it.each(['retry', 'archive'] as const)('%s of what is no dead letter is refused', async (verb) => {
    const { pawl, mail, state } = await begin(0)
    state.isMended = true
    const { id } = await pawl.dispatch(mail({}))
    await expect(pawl.actions[verb](id)).rejects.toMatchObject({ code: 'action_conflict' })
    await settle(pawl)
    await expect(pawl.actions[verb](id)).rejects.toMatchObject({ code: 'action_conflict' })
    await expect(pawl.actions[verb]('act_x')).rejects.toMatchObject({ code: 'action_not_found' })
  })

  it('run now brings forward what is scheduled, and nothing else', async () => {
    const { pawl, mail, state, ids } = await begin(1)
    state.isMended = true
    const { id } = await pawl.dispatch(mail('later', { delay: '9d' }))
    await pawl.actions.runNow(id)
    await settle(pawl)
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'succeeded', finishedAt: at(0) })
    await expect(pawl.actions.runNow(ids[0]!)).rejects.toMatchObject({ code: 'action_conflict' })
    await expect(pawl.actions.runNow('act_x')).rejects.toMatchObject({ code: 'action_not_found' })
  })

  it('run now brings forward a retry', async () => {
    const mail = spy('mail', ({ attempt }) => {
      if (attempt === 1) throw new Error('down')
      return attempt
    })
    const pawl = await bed.open({ runners: [mail] })
    const { id } = await pawl.dispatch(mail({}, { retryPolicy: { maxAttempts: 2, baseDelay: '1h' } }))
    await settle(pawl)
    await pawl.actions.runNow(id)
    await settle(pawl)
    expect(mail.calls.map((call) => call.at)).toEqual([NOW, NOW])
  })

  it('an action whose config cannot be rendered is a dead letter of its machine, not a lost one', async () => {
    const { loadDefinition } = await import('../../src/definitions/parse.ts')
    const [definition] = loadDefinition({
      kind: 'machine',
      id: 'm',
      initial: 'a',
      states: {
        a: {
          enter: [{ type: 'mail', config: { to: '{{execution.variables.nobody}}' } }],
          on: { 'action.failed': 'b' },
        },
        b: {},
      },
    }).definitions
    const pawl = await bed.open({ definitions: [definition as never] })
    await pawl.start('m', { id: 'x' })
    expect((await pawl.executions.get('x'))!.state).toBe('b')
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'invalid_configuration' } })
    expect(await pawl.actions.groups()).toMatchObject([{ count: 1, errorType: 'invalid_configuration' }])
  })
})
