import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { linkActions } from '../../src/definitions/link-actions.ts'
import { type ParsedAction, parseDefinitions } from '../../src/definitions/parse.ts'
import { rulesOf } from '../../src/pawl/runner-rules.ts'
import { builtInRunners } from '../../src/runners/built-in.ts'
import { createOutbox } from '../../src/runners/outbox.ts'
import { runner } from '../../src/runners/runner.ts'
import { onEachStore } from '../engine/bed.ts'
import { machineIn } from './definitions.ts'
import { openMailEgress } from './email/bed.ts'

const runners = builtInRunners({
  outbox: createOutbox(),
  egress: openMailEgress(),
  services: { crm: { baseUrl: 'https://crm.example' } },
  addTask: async () => undefined,
  functions: { price_of: () => 1 },
})
const rules = rulesOf(runners)

const asking = (type: string, config: object, more = '') =>
  machineIn(`
kind: machine
id: m
initial: a
states: { a: {} }
actions:
  - { actionId: x, type: ${type}, triggerState: a, ${more} config: ${JSON.stringify(config)} }
`)

it.each([
  ['email', { to: 'a@example.com', subject: '{{secrets.x}}', text: 'x' }],
  ['email', { to: 'a@example.com', subject: 's', text: 'x', variables: { a: ['{{secrets.x}}'] } }],
  ['webhook', { url: 'https://a.example/?k={{secrets.x}}' }],
  ['webhook', { url: 'https://a.example/', payload: { a: 'Bearer {{secrets.x}}' } }],
  ['api_call', { service: 'crm', endpoint: '/{{secrets.x}}' }],
  ['api_call', { service: 'crm', query: { a: '{{secrets.x}}' } }],
  ['task', { title: '{{secrets.x}}' }],
  ['function', { name: 'price_of', input: { deep: '{{secrets.x}}' } }],
  ['delay', { provider: '{{secrets.x}}' }],
])('S27: a secret in a visible place of %s %j is refused when it is registered', (type, config) => {
  expect(() => rules.assertFits(asking(type, config).data)).toThrow(
    expect.objectContaining({ code: 'secret_not_allowed_here' }),
  )
})

it.each([
  ['email', { to: 'a@example.com', subject: 's', text: 'x', auth: { apiKey: '{{secrets.x}}' } }],
  [
    'webhook',
    {
      url: 'https://a.example/',
      headers: { a: 'Bearer {{secrets.x}}' },
      signing: { secret: '{{secrets.x}}' },
    },
  ],
  ['api_call', { service: 'crm', authentication: { type: 'bearer', token: '{{secrets.x}}' } }],
  ['api_call', { service: 'crm', expectedStatusCodes: '{{execution.variables.codes}}' }],
  ['task', { title: 'x', dueDate: '{{execution.variables.date}}', data: '{{message.payload}}' }],
  ['function', { name: '{{execution.variables.name}}' }],
  ['unknown_type', { anything: true }],
])('what may be is let in: %s %j', (type, config) => {
  expect(() => rules.assertFits(asking(type, config).data)).not.toThrow()
})

it.each([
  ['webhook', { url: 'https://a.example/', metod: 'POST' }, 'did you mean method?'],
  ['webhook', { url: '{{execution.variables.url}}', method: 'FETCH' }, 'method'],
  ['email', { to: 'not an address', subject: 's', text: 'x' }, 'to.0'],
  ['email', { to: '{{execution.variables.to}}', subject: 's' }, 'template'],
  ['task', { title: 'x', dueIn: 'soon' }, 'dueIn'],
])('X-15: %s %j is refused: %s', (type, config, said) => {
  expect(() => rules.assertFits(asking(type, config).data)).toThrow(said)
})

it('all that is wrong is told, each with its place; what an effect cost is what its runner says', () => {
  const wrong = asking('webhook', { urll: 'https://a.example', method: 'FETCH' })
  expect(
    rules.problemsOf(wrong.data).map(({ path, code }) => [path.replace(/^.*config/, 'config'), code]),
  ).toEqual([
    ['config.url', 'config_invalid'],
    ['config.method', 'config_invalid'],
    ['config', 'config_invalid'],
  ])
  const priced = runner({
    type: 'sms',
    config: z.object({ parts: z.number().default(2) }),
    cost: ({ config, durationMs }) => config.parts * durationMs,
    execute: () => null,
  })
  const { costOf } = rulesOf([priced])
  expect(costOf('sms', { config: {}, result: null, durationMs: 10 })).toBe(20)
  expect(costOf('other', { config: {}, result: null, durationMs: 10 })).toBeUndefined()
})

it('the actions of the requirements are let in as they are', () => {
  const folder = new URL('../definitions/fixtures/', import.meta.url)
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const { definitions } = parseDefinitions(readFileSync(new URL(name, folder), 'utf8'), { file: name })
    const actions = definitions.filter(({ kind }) => kind === 'action') as ParsedAction[]
    for (const action of actions) {
      const state = action.data.triggerState!
      const machine = machineIn(`{kind: machine, id: m, initial: ${state}, states: {${state}: {}}}`)
      for (const { data } of linkActions([machine], [action]).machines)
        expect(() => rules.assertFits(data), name).not.toThrow()
    }
  }
})

onEachStore('the defaults of a runner', (bed) => {
  it('reach what is written as data, by a file, by define and by dispatch; what is said there wins', async () => {
    const pawl = await bed.open({ definitions: [asking('task', { title: 'x' })] })
    const kinds = async () =>
      (await pawl.actions.list()).data.map(({ maxAttempts, type }) => `${type} ${maxAttempts}`)
    await pawl.start('m', { id: 'e_1' })
    expect(await kinds()).toEqual(['task 2'])
    const other = asking('task', { title: 'x' }, 'retryPolicy: { maxAttempts: 7 },').data
    await pawl.define({ ...other, id: 'n' } as never)
    await pawl.start('n', { id: 'e_2' })
    await pawl.dispatch({ type: 'delay', config: {}, options: {} })
    await pawl.dispatch({ type: 'delay', config: {}, options: { retryPolicy: { maxAttempts: 5 } } })
    expect((await kinds()).toSorted()).toEqual(['delay 1', 'delay 5', 'task 2', 'task 7'])
  })
})
