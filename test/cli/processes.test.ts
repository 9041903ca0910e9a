// `serve` and `worker` as processes: roles, drain, the virtual clock, observability, code in definitions.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { folder, pawl, ROOT, serve, start } from './spawn.ts'

afterAll(releaseServer)
const EXAMPLES = ['--definitions', join(ROOT, 'examples/definitions'), '--sandbox']

const post = async (url: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe.each(['SQLite', 'PostgreSQL'])('%s', (kind) => {
  it('a server and a worker of their own share a store; each drains on SIGTERM and ends with 0', async () => {
    const store =
      kind === 'SQLite' ? `sqlite:${join(folder(), 'pawl.db')}` : await createDatabase(await useServer())
    const server = await serve(['--store', store, '--role', 'server', ...EXAMPLES])
    await post(`${server.url}/v1/executions`, {
      definition: 'order',
      id: 'o',
      variables: { customer: 'a@b.co' },
    })
    await post(`${server.url}/v1/executions/o/events`, { type: 'paid' })
    const worker = start(['worker', '--store', store, ...EXAMPLES])
    await worker.said(/working on/)
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${server.url}/v1/executions/o`)
        expect(await answer.json()).toMatchObject({ state: 'done' })
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0])
    expect(server.stderr()).toContain('draining')
    expect((await pawl(['verify', '--store', store])).code).toBe(0)
  })
})

it('--clock virtual: stands still until it is moved', async () => {
  const clock = 'virtual:2026-01-05T12:00:00Z'
  const server = await serve(['--store', 'sqlite::memory:', '--clock', clock, ...EXAMPLES])
  await post(`${server.url}/v1/executions`, {
    definition: 'order',
    id: 'o',
    variables: { customer: 'a@b.co' },
  })
  expect((await post(`${server.url}/v1/clock`, { advanceBy: '3d' })).status).toBe(200)
  const execution = (await (await fetch(`${server.url}/v1/executions/o`)).json()) as Record<string, unknown>
  expect(execution).toMatchObject({ state: 'cancelled', status: 'completed' })
  await server.stop()
})

it('machines and runners in TypeScript are served, metrics count them, and the log has one line for each end', async () => {
  const cwd = folder()
  const [index, zod] = [join(ROOT, 'src/index.ts'), join(ROOT, 'node_modules/zod/index.js')]
  writeFileSync(
    join(cwd, 'bell.ts'),
    `import { machine, runner } from ${JSON.stringify(index)}
import { z } from ${JSON.stringify(zod)}
export const ring = runner({ type: 'ring', config: z.object({}), event: 'rang', execute: async () => ({ ok: true }) })
export const bell = machine({ id: 'bell', uses: [ring], events: { pull: z.object({}) }, initial: 'still',
  states: { still: { on: { pull: 'loud' } }, loud: { enter: () => ring({}), on: { rang: 'done' } }, done: { final: true } } })
`,
  )
  const server = await serve(['--store', 'sqlite::memory:', '--definitions', cwd, '--log-format', 'json'], {
    cwd,
  })
  await post(`${server.url}/v1/executions`, { definition: 'bell', id: 'b' })
  await post(`${server.url}/v1/executions/b/events`, { type: 'pull' })
  await server.said(/"event":"action.succeeded"/)
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const metrics = text.split('\n').filter((line) => /^pawl_(?!.*_bucket)/.test(line))
  for (const line of [
    'pawl_actions_created_total{trigger_kind="machine",action_type="ring"} 1',
    'pawl_attempts_total{action_type="ring",outcome="succeeded",error_type=""} 1',
    'pawl_machine_transitions_total{machine="bell",from="still",to="loud",event="pull"} 1',
    'pawl_workers{runner_type="ring"} 1',
    'pawl_executions{status="completed"} 1',
  ])
    expect(metrics).toContain(line)
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) })
  expect(await server.stop('SIGINT')).toBe(0)
})

it.each([
  ['an older store', ['--store', 'sqlite:./none/here.db'], 75, /could not|unable|no such|cannot/i],
  [
    'definitions with errors',
    ['--store', 'sqlite::memory:', '--definitions', join(ROOT, 'test/definitions/bad')],
    2,
    /✕/,
  ],
  ['a clock that is none', ['--store', 'sqlite::memory:', '--clock', 'lunar'], 2, /is no clock/],
])('serve refuses %s before it listens', async (_, args, code, told) => {
  const ended = await pawl(['serve', '--port', '0', ...args])
  expect([ended.code, ended.stdout]).toEqual([code, ''])
  expect(ended.stderr).toMatch(told)
})
