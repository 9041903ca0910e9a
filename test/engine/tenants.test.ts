import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine, type Pawl, permanent } from '../../src/index.ts'
import { onEachStore } from './bed.ts'
import { settle, spy } from './spies.ts'

const job = spy('job', ({ config }) => {
  if (config === 'dead') throw permanent('not_found', 'gone')
  return null
})
const flow = machine({
  id: 'flow',
  events: { go: z.object({}) },
  uses: [job],
  initial: 'a',
  states: { a: { enter: () => job('dead'), on: { go: 'b' } }, b: { final: true } },
})

type Ids = Readonly<Record<'live' | 'dead' | 'execution', string>>

/** Every verb that takes an id; a stranger's must be answered like one that is not there. */
const VERBS: readonly (readonly [string, (pawl: Pawl, ids: Ids) => Promise<unknown>])[] = [
  ['actions.get', (pawl, { live }) => pawl.actions.get(live)],
  ['actions.cancel', (pawl, { live }) => pawl.actions.cancel(live)],
  ['actions.runNow', (pawl, { live }) => pawl.actions.runNow(live)],
  ['actions.retry', (pawl, { dead }) => pawl.actions.retry(dead)],
  ['actions.archive', (pawl, { dead }) => pawl.actions.archive(dead)],
  ['actions.resolve', (pawl, { dead }) => pawl.actions.resolve(dead, { outcome: 'retry' })],
  ['actions.list', (pawl, { execution }) => pawl.actions.list({ execution })],
  ['executions.get', (pawl, { execution }) => pawl.executions.get(execution)],
  ['executions.history', (pawl, { execution }) => pawl.executions.history(execution)],
  ['executions.patch', (pawl, { execution }) => pawl.executions.patch(execution, {})],
  ['executions.pause', (pawl, { execution }) => pawl.executions.pause(execution)],
  ['executions.resume', (pawl, { execution }) => pawl.executions.resume(execution)],
  ['executions.cancel', (pawl, { execution }) => pawl.executions.cancel(execution)],
  ['send', (pawl, { execution }) => pawl.send(execution, 'go', {})],
  ['send of the engine’s', (pawl, { execution }) => pawl.send(execution, 'timer.fired', {})],
  ['why of an action', (pawl, { live }) => pawl.why(live)],
  ['why of an execution', (pawl, { execution }) => pawl.why(execution)],
  ['why of a step', (pawl, { execution }) => pawl.why(`${execution}/a/job`)],
]

const told = async (ask: Promise<unknown>, ids: Ids): Promise<string> => {
  const said = await ask.then(
    (value) => JSON.stringify({ value }),
    (error) => JSON.stringify({ code: error.code, message: error.message, details: error.details }),
  )
  return Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(id, `<${name}>`), said)
}

onEachStore('tenants', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ definitions: [flow], runners: [job], tenant: 'ours' })
    await pawl.start(flow, { id: 'lease_882', variables: {} })
    await settle(pawl)
    const { id: live } = await pawl.dispatch(job('ok', { delay: '1h' }))
    const [dead] = (await pawl.actions.list({ status: 'dead' })).data
    return { pawl, ids: { live, dead: dead!.id, execution: 'lease_882' } }
  }
  const MISSING: Ids = { live: 'act_none1', dead: 'act_none2', execution: 'none3' }

  it.each(VERBS)('%s: another tenant’s id is answered exactly like a missing one', async (_, ask) => {
    const { pawl, ids } = await begin()
    const before = [
      await pawl.executions.get('lease_882'),
      await pawl.actions.get(ids.live),
      await pawl.actions.get(ids.dead),
    ]
    for (const stranger of [pawl.tenant('theirs'), pawl.tenant('ours', 'elsewhere')])
      expect(await told(ask(stranger, ids), ids)).toBe(await told(ask(stranger, MISSING), MISSING))
    expect([
      await pawl.executions.get('lease_882'),
      await pawl.actions.get(ids.live),
      await pawl.actions.get(ids.dead),
    ]).toEqual(before)
  })

  it('lists, counts, groups and the feed have nothing of another tenant', async () => {
    const { pawl } = await begin()
    const theirs = pawl.tenant('theirs')
    expect((await theirs.actions.list()).data).toEqual([])
    expect((await theirs.executions.list()).data).toEqual([])
    expect(await theirs.actions.groups()).toEqual([])
    expect(Object.values((await theirs.counts()).actions)).toEqual([0, 0, 0, 0, 0, 0, 0])
    await theirs.dispatch(job('theirs'))
    expect((await pawl.actions.list({}, { limit: 250 })).data.map(({ tenant }) => tenant)).toEqual([
      'ours',
      'ours',
    ])
  })

  it('the same ids in two tenants are two things', async () => {
    const { pawl } = await begin()
    const theirs = pawl.tenant('theirs')
    expect(await theirs.start(flow, { id: 'lease_882', variables: {} })).toMatchObject({ isNew: true })
    await theirs.send('lease_882', 'go')
    expect((await theirs.executions.get('lease_882'))!.state).toBe('b')
    expect((await pawl.executions.get('lease_882'))!.state).toBe('a')
    await settle(pawl)
    const keys = job.calls.slice(-2).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  it('a pause of a tenant holds up that tenant alone', async () => {
    const { pawl } = await begin()
    const theirs = pawl.tenant('theirs')
    await theirs.pause({ tenant: true })
    const mine = await pawl.dispatch(job('mine'))
    const their = await theirs.dispatch(job('their'))
    await settle(pawl)
    expect((await pawl.actions.get(mine.id))!.status).toBe('succeeded')
    expect((await theirs.actions.get(their.id))!.status).toBe('queued')
  })

  it('an action id given by two tenants names two actions, neither of which hears of the other', async () => {
    const { pawl, ids } = await begin()
    const theirs = pawl.tenant('theirs')
    const [mine, their] = [
      await pawl.dispatch(job('mine'), { id: 'act_1' }),
      await theirs.dispatch(job('theirs'), { id: 'act_1' }),
    ]
    expect([mine.deduplicated, their.deduplicated]).toEqual([false, false])
    expect(await pawl.actions.get(mine.id)).toMatchObject({ config: 'mine', tenant: 'ours' })
    expect(await theirs.actions.get(their.id)).toMatchObject({ config: 'theirs', tenant: 'theirs' })
    expect(await theirs.dispatch(job('again'), { id: 'act_1' })).toEqual({ id: their.id, deduplicated: true })
    await theirs.dispatch(job('theirs'), { id: ids.live })
    expect(await pawl.actions.get(ids.live)).toMatchObject({ config: 'ok', tenant: 'ours' })
    expect(await theirs.actions.get(ids.live)).toBeUndefined()
  })
})
