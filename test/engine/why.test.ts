import { expect, it } from 'vitest'
import { NOW, onEachShared, onEachStore } from './bed.ts'
import { gate, settle, spy } from './spies.ts'
import { EXECUTION_CASES, flow, job, WHY_CASES } from './why-cases.ts'

onEachStore('why, of an action', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ runners: [job] })
    await pawl.work({ slots: 0 })
    return pawl
  }

  it.each(WHY_CASES.map((row) => ({ code: row[0], row })))('$code', async ({ row }) => {
    const [code, config, options, act, text, until] = row
    const pawl = await begin()
    const { id } = await pawl.dispatch(job(config, options as never))
    await act(pawl, id)
    const { reasons, eta } = await pawl.why(id)
    expect(reasons).toMatchObject([{ code, text: expect.stringMatching(text) }])
    expect(reasons[0]!.until).toBe(until === undefined ? undefined : NOW + until)
    if (until !== undefined) expect(eta).toBe(NOW + until)
  })

  it('no_worker: nobody alive runs that type', async () => {
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch({ type: 'nobody', config: {}, options: {} })
    expect(await pawl.why(id)).toMatchObject({
      reasons: [{ code: 'no_worker', text: expect.stringContaining('“nobody”') }],
    })
    expect((await pawl.why(id)).eta).toBeUndefined()
  })

  it('running and cancelling: by whom', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', pass)
    const pawl = await bed.open({ runners: [slow] })
    const { id } = await pawl.dispatch(slow({}))
    const settled = settle(pawl)
    await reached
    expect((await pawl.why(id)).reasons).toMatchObject([
      { code: 'running', text: expect.stringMatching(/^wrk_\w+ runs it$/) },
    ])
    await pawl.actions.cancel(id)
    expect((await pawl.why(id)).reasons).toMatchObject([{ code: 'cancelling' }])
    open()
    await settled
  })

  it('all reasons that hold are told, and there is no eta while one has no end', async () => {
    const pawl = await begin()
    const { id } = await pawl.dispatch(job('ok', { delay: '1h' }))
    await pawl.pause({ type: 'job' })
    await pawl.pause({ tenant: true })
    const { reasons, eta } = await pawl.why(id)
    expect(reasons.map(({ code }) => code).toSorted()).toEqual(['paused_tenant', 'paused_type', 'scheduled'])
    expect(eta).toBeUndefined()
  })
})

onEachStore('why, of an execution', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    await pawl.work({ slots: 0 })
    await pawl.start(flow, { id: 'f', variables: {} })
    return pawl
  }

  it.each(EXECUTION_CASES)('%s', async (code, act, text) => {
    const pawl = await begin()
    await act(pawl, 'f')
    expect((await pawl.why('f')).reasons).toMatchObject([{ code, text: expect.stringMatching(text) }])
  })

  it('a step key is an id too, and an execution that is paused is the reason of its actions', async () => {
    const pawl = await begin()
    await pawl.send('f', 'ask')
    await pawl.executions.pause('f', 'holiday')
    const { reasons, id } = await pawl.why('f/b/letter')
    expect(id).toMatch(/^act_/)
    expect(reasons.map(({ code }) => code)).toContain('paused_execution')
    expect(reasons[0]!.text).toContain('holiday')
  })

  it.each(['f%', '100%/x~2', '%2F'])('an execution may be called %j', async (id) => {
    const pawl = await begin()
    await pawl.start(flow, { id, variables: {} })
    await pawl.send(id, 'ask')
    expect((await pawl.why(id)).reasons).toMatchObject([{ code: 'action_queued' }])
    const { data } = await pawl.actions.list({ execution: id })
    expect((await pawl.why(data[0]!.stepKey)).id).toBe(data[0]!.id)
  })

  it.each(['x', 'f/b/nothing', '%E0%A4%A/x', ''])('%j is nothing, and that is said', async (id) => {
    const pawl = await begin()
    await expect(pawl.why(id)).rejects.toMatchObject({ code: 'action_not_found' })
  })
})

onEachShared('why, without the code', (bed) => {
  it('KERNEL §3: no live process knows the version', async () => {
    const author = await bed.open({ definitions: [flow], runners: [job] })
    await author.start(flow, { id: 'f', variables: {} })
    await author.close()
    const stranger = await bed.open()
    expect((await stranger.why('f')).reasons).toMatchObject([
      {
        code: 'definition_unknown',
        text: expect.stringMatching(/^no live process knows flow@[0-9a-f]{8}; start one/),
      },
    ])
  })
})
