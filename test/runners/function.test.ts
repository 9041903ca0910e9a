import { expect, it } from 'vitest'
import { permanent, retryable } from '../../src/index.ts'
import { onEachStore } from '../engine/bed.ts'
import { machineIn } from './definitions.ts'

const QUOTE = `
kind: machine
id: quote
initial: asked
states:
  asked: { on: { function_called: { to: told, set: { price: '{{event.payload.result.price}}' } }, action.failed: lost } }
  told: { final: true }
  lost: {}
actions:
  - actionId: reckon
    type: function
    triggerState: asked
    config: { name: price_of, input: { size: '{{execution.variables.size}}' } }
`

onEachStore('a function of the program', (bed) => {
  it('is called by its name with what the definition gives it, and its result is told', async () => {
    const seen: unknown[] = []
    const pawl = await bed.open({
      definitions: [machineIn(QUOTE)],
      functions: {
        price_of: async (input, ctx) => {
          seen.push([input, ctx.attempt, ctx.executionId, await ctx.secret('tariff')])
          if (ctx.attempt === 1) throw retryable('temporary_failure', 'not yet')
          return { price: 40 * (input as { size: number }).size, tariff: await ctx.secret('tariff') }
        },
      },
      costs: { function: 2 },
      secrets: { env: { PAWL_SECRET_TARIFF: 'canary-tariff-7f3c' } },
    })
    await pawl.start('quote', { id: 'q_1', variables: { size: 3, price: null } })
    await pawl.advance({ by: '1h' })
    expect(seen).toEqual([
      [{ size: 3 }, 1, 'q_1', 'canary-tariff-7f3c'],
      [{ size: 3 }, 2, 'q_1', 'canary-tariff-7f3c'],
    ])
    expect(await pawl.executions.get('q_1')).toMatchObject({ state: 'told', variables: { price: 120 } })
    const [action] = (await pawl.actions.list({ execution: 'q_1' })).data
    expect(action!.costEstimate).toBe(2)
    expect(action!.result).toEqual({ price: 120, tariff: '‹secret:tariff›' })
    expect(await pawl.health('reckon')).toMatchObject({ totalExecutions: 1, totalCost: 2, retryRate: 1 })
  })

  it('that returns nothing succeeded with null, one that throws fails as any runner', async () => {
    const pawl = await bed.open({
      functions: {
        quiet: () => undefined,
        never: () => {
          throw permanent('not_found', 'no such customer')
        },
      },
    })
    const send = (name: string) => pawl.dispatch({ type: 'function', config: { name }, options: {} })
    const [quiet, never] = [await send('quiet'), await send('never')]
    await pawl.advance({ by: '1s' })
    expect(await pawl.actions.get(quiet.id)).toMatchObject({ status: 'succeeded', result: null })
    expect(await pawl.actions.get(never.id)).toMatchObject({ status: 'dead', error: { type: 'not_found' } })
  })

  it.each(['price_off', 'constructor', '__proto__', 'toString'])(
    'X-15: a definition that names %s is refused when it is registered',
    async (name) => {
      const definition = machineIn(QUOTE.replace('price_of', name))
      const functions = { price_of: () => 1 }
      await expect(bed.open({ definitions: [definition], functions })).rejects.toMatchObject({
        code: 'config_invalid',
        details: { path: 'actions.0.config.name' },
      })
      const pawl = await bed.open({ functions })
      await expect(pawl.define(definition.data as never)).rejects.toMatchObject({ code: 'config_invalid' })
      expect(await pawl.definitions()).toEqual([])
    },
  )

  it('S27: a secret in its input is refused when the definition is registered, and when it runs', async () => {
    const definition = machineIn(QUOTE.replace('{{execution.variables.size}}', '{{secrets.tariff}}'))
    const functions = { price_of: () => 1 }
    await expect(bed.open({ definitions: [definition], functions })).rejects.toMatchObject({
      code: 'secret_not_allowed_here',
    })
    const pawl = await bed.open({ functions })
    const config = { name: 'price_of', input: '{{secrets.tariff}}' }
    const { id } = await pawl.dispatch({ type: 'function', config, options: {} })
    await pawl.advance({ by: '1s' })
    expect((await pawl.actions.get(id))?.error?.code).toBe('secret_not_allowed_here')
  })

  it('X-22: under the sandbox it is not called', async () => {
    const pawl = await bed.open({
      provider: 'sandbox',
      functions: { boom: () => Promise.reject(new Error('called')) },
    })
    const { id } = await pawl.dispatch({ type: 'function', config: { name: 'boom', input: 7 }, options: {} })
    await pawl.advance({ by: '1s' })
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'succeeded', result: null })
    expect((await pawl.outbox.list({ type: 'function' })).data).toMatchObject([
      { actionId: id, content: { name: 'boom', input: 7 } },
    ])
  })
})
