import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine } from '../../src/index.ts'
import { onEachStore, START } from './bed.ts'
import { historyOf, only, settle, spy } from './spies.ts'

const notify = spy('notify')
const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string(), days: z.number().default(30) }),
  initial: 'active',
  states: { active: { enter: ({ variables }) => notify({ to: variables.landlord }) } },
})
const variables = { landlord: 'ada' }

onEachStore('start', (bed) => {
  const open = () => bed.open({ definitions: [lease], runners: [notify] })

  it('KERNEL §2: the first step, its action and its history are there when it answers', async () => {
    const pawl = await open()
    const run = await pawl.start(lease, { id: 'l_1', variables })
    expect(run).toMatchObject({ id: 'l_1', isNew: true })
    expect(await run.get()).toMatchObject({
      id: 'l_1',
      definition: 'lease',
      version: lease.hash,
      status: 'active',
      state: 'active',
      variables: { landlord: 'ada', days: 30 },
      createdAt: START,
    })
    expect(await historyOf(pawl, 'l_1')).toEqual(['execution.transitioned'])
    expect(await only(pawl)).toMatchObject({ status: 'queued', shown: 'ready', executionId: 'l_1' })
  })

  it('KERNEL §2: the same id with the same input is the same execution, also after it has moved on', async () => {
    const pawl = await open()
    await pawl.start(lease, { id: 'l_1', variables })
    await settle(pawl)
    const again = await pawl.start(lease, { id: 'l_1', variables: { ...variables } })
    expect(again.isNew).toBe(false)
    expect((await pawl.actions.list()).data).toHaveLength(1)
    expect((await pawl.executions.list()).data).toHaveLength(1)
  })

  it('KERNEL §2: twenty starts of one id at once are one execution', async () => {
    const pawl = await open()
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => pawl.start(lease, { id: 'l_1', variables })),
    )
    expect(runs.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await pawl.actions.list()).data).toHaveLength(1)
  })

  it('KERNEL §2: the same id with other input is refused, and nothing changes', async () => {
    const pawl = await open()
    await pawl.start(lease, { id: 'l_1', variables })
    await expect(pawl.start(lease, { id: 'l_1', variables: { landlord: 'eve' } })).rejects.toMatchObject({
      code: 'execution_exists',
    })
    expect((await pawl.executions.get('l_1'))!.variables).toMatchObject(variables)
    expect((await pawl.actions.list()).data).toHaveLength(1)
  })

  it('an id is drawn when none is given: another one each time', async () => {
    const pawl = await open()
    const [one, two] = [await pawl.start(lease, { variables }), await pawl.start(lease, { variables })]
    expect(one.id).toMatch(/^exe_[0-9A-Z]{26}$/)
    expect(two.id).not.toBe(one.id)
  })

  it.each([
    ['variables that do not fit', { id: 'l_1', variables: { landlord: 7 } }, 'variables_invalid'],
    ['variables that are left out', { id: 'l_1' }, 'variables_invalid'],
    ['an empty id', { id: '', variables }, 'invalid_option'],
    ['an id of spaces', { id: ' l_1', variables }, 'invalid_option'],
    ['an id with a control character', { id: 'l\u0000', variables }, 'invalid_option'],
    ['an id with half a character', { id: 'l\ud800', variables }, 'invalid_option'],
    ['an id that is too long', { id: 'l'.repeat(201), variables }, 'invalid_option'],
    [
      'variables that are too large',
      { id: 'l_1', variables: { landlord: 'a'.repeat(300_000) } },
      'payload_too_large',
    ],
  ] as const)('%s are refused, and nothing is written', async (_, input, code) => {
    const pawl = await open()
    await expect(pawl.start('lease', input)).rejects.toMatchObject({ code })
    expect((await pawl.executions.list()).data).toEqual([])
    expect((await pawl.actions.list()).data).toEqual([])
  })

  it('a definition nobody has is refused, with the nearest name', async () => {
    const pawl = await open()
    await expect(pawl.start('leese', { id: 'l_1' })).rejects.toMatchObject({
      code: 'definition_unknown',
      details: { suggestion: 'lease' },
    })
    expect((await pawl.executions.list()).data).toEqual([])
  })

  it('the longest id works everywhere: in the step key, in the history, in why', async () => {
    const pawl = await open()
    const id = `${'ü'.repeat(198)}/~`
    await pawl.start(lease, { id, variables })
    const { stepKey } = await only(pawl)
    expect((await pawl.why(stepKey)).status).toBe('ready')
    expect(await historyOf(pawl, id)).toEqual(['execution.transitioned'])
  })
})
