// docs/guides/own-runner.md, followed to the letter. Its files are taken from the page, written down and run; its
// test becomes a test of this file.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { open as openProgram } from '../../src/pawl/open.ts'
import { machineIn } from '../runners/definitions.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(new URL('../../docs/guides/own-runner.md', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text!)

mkdirSync(join(ROOT, '.cache'), { recursive: true })
const folder = mkdtempSync(join(ROOT, '.cache', 'own-runner-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = blocks('ts').map((text) => {
  const name = /^\/\/ ([\w.-]+)\n/.exec(text)![1]!
  // The package is not installed in its own repository.
  writeFileSync(join(folder, name), text.replace(/from 'pawl'$/gm, `from '${ROOT}src/index.ts'`))
  return name
})

it('the page has one function, one registration and one test', () => {
  expect(files).toEqual(['courier.ts', 'program.ts', 'courier.test.ts'])
})

await import(join(folder, 'courier.test.ts'))

it('and its definition in a file runs with the same runner', async () => {
  const { courier } = await import(join(folder, 'courier.ts'))
  const { open } = (await import('../../src/pawl/open.ts')) as { open: typeof openProgram }
  const sent: string[] = []
  const server = createServer((request, response) => {
    sent.push(String(request.headers.authorization))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"p_1","cost":450}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const pawl = await open({
    store: 'sqlite::memory:',
    clock: 'virtual:2026-01-05T09:00:00Z',
    egress: { allow: ['127.0.0.0/8'] },
    secrets: { env: { PAWL_SECRET_COURIER_KEY: 'not for anybody' } },
    runners: [courier],
    definitions: [machineIn(blocks('yaml')[0]!)],
  })
  const variables = { courierUrl: `http://127.0.0.1:${port}`, address: '1 High St' }
  await pawl.start('return_parcel', { id: 'r_1', variables })
  await pawl.advance({ by: '1m' })
  expect((await pawl.executions.get('r_1'))?.state).toBe('booked')
  expect(sent).toEqual(['Bearer not for anybody'])
  // The runner's own defaults reach what is written as data.
  const [action] = (await pawl.actions.list({ execution: 'r_1' })).data
  expect(action!.maxAttempts).toBe(4)
  await pawl.close()
  server.close()
})
