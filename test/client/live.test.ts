// The client against a real server: types, lists, errors, and a watch that outlives it.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import type { Action, Execution } from '../../src/client/resources.ts'
import type { ActionView, ExecutionView } from '../../src/pawl/views.ts'
import { folder, ROOT, serve } from '../cli/spawn.ts'
import { freePort } from '../stores/free-port.ts'

it('what the library shows is what the client reads', () => {
  const same = (action: ActionView, execution: ExecutionView): readonly [Action, Execution] => [
    action,
    execution,
  ]
  expect(same).toBeTypeOf('function')
})

it('a watch resumes when its server ends and comes back: each fact once, in order', async () => {
  const port = await freePort()
  const args = ['--store', `sqlite:${join(folder(), 'pawl.db')}`, '--port', String(port), '--sandbox']
  const definitions = ['--definitions', join(ROOT, 'examples/definitions')]
  const first = await serve([...args, ...definitions])
  const client = createClient({ url: first.url })
  const ended = new AbortController()
  const seen: string[] = []
  const cursors = new Set<string>()
  const watched = (async () => {
    for await (const fact of client.watch({ signal: ended.signal })) {
      cursors.add(fact.cursor)
      seen.push(fact.execution!)
      if (fact.execution === 'o_2') return
    }
  })()
  const started = async (id: string): Promise<void> => {
    await client.executions.start({ definition: 'order', id, variables: { customer: 'a@b.co' } })
  }
  // Until the watch is there nobody tells it anything: those before are not its facts.
  for (let n = 0; seen.length === 0; n += 1) await started(`early_${n}`)
  const facts = seen.length
  expect(await first.stop()).toBe(0)
  const second = await serve([...args, ...definitions])
  await started('o_1')
  await started('o_2')
  await watched
  expect(seen.slice(facts).filter((id) => id.startsWith('o_'))).toEqual(['o_1', 'o_2'])
  expect(cursors.size).toBe(seen.length)
  const all: string[] = []
  for await (const { id } of client.executions.list({ definition: 'order' })) all.push(id)
  expect(all).toEqual(expect.arrayContaining(['o_1', 'o_2']))
  await expect(client.executions.get('none')).rejects.toMatchObject({ code: 'execution_not_found' })
  await expect(started('o_1')).resolves.toBeUndefined()
  await expect(client.executions.start({ definition: 'lease', id: 'o_1' })).rejects.toMatchObject({
    code: 'execution_exists',
  })
  ended.abort()
  expect(await second.stop()).toBe(0)
})
