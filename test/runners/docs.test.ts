// The examples of task.md and function.md, as they stand there.

import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { Pawl } from '../../src/index.ts'
import { machineIn } from './definitions.ts'

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../docs/runners/${name}.md`, import.meta.url), 'utf8')

const open = async (page: string, more: Partial<Parameters<typeof Pawl.open>[0]> = {}) => {
  const [, example] = /^```yaml\n(.*?)^```$/ms.exec(pageOf(page))!
  const pawl = await Pawl.open({
    store: 'sqlite::memory:',
    clock: 'virtual:2026-01-05T09:00:00Z',
    definitions: [machineIn(example!)],
    secrets: { env: {} },
    ...more,
  })
  onTestFinished(pawl.close)
  return pawl
}

it('task.md', async () => {
  const pawl = await open('task')
  await pawl.start('repair', { id: 'r_1', variables: { unit: 4, day: null } })
  await pawl.advance({ by: '1m' })
  const [task] = (await pawl.tasks.list({ status: 'open', assignee: 'caretaker' })).data
  await pawl.tasks.complete(task!.id, { result: { day: 'Friday' }, by: 'ada' })
  expect(await pawl.executions.get('r_1')).toMatchObject({ state: 'planned', variables: { day: 'Friday' } })

  await pawl.start('repair', { id: 'r_2', variables: { unit: 5, day: null } })
  await pawl.advance({ by: '8d' })
  expect((await pawl.executions.get('r_2'))?.state).toBe('escalated')
  expect((await pawl.tasks.list({ status: 'overdue' })).data).toHaveLength(1)
})

it('function.md', async () => {
  const pawl = await open('function', {
    functions: { price_of: async (input) => ({ price: 40 * (input as { size: number }).size }) },
  })
  await pawl.start('quote', { id: 'q_1', variables: { size: 3, price: null } })
  await pawl.advance({ by: '1m' })
  expect(await pawl.executions.get('q_1')).toMatchObject({ state: 'told', variables: { price: 120 } })
})

it('every built-in runner has a page', () => {
  for (const name of ['webhook', 'api-call', 'email', 'task', 'function', 'delay'])
    expect(pageOf(name)).toMatch(/^# [a-z_]+\n/)
})
