// `api`, `profile` and `completion`: any request, servers by name, and what a shell completes.

import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, pawl, serve } from './spawn.ts'

it('api: by operation or by method and path, against the server of a profile that only its owner can read', async () => {
  const home = folder()
  const env = { HOME: home, XDG_CONFIG_HOME: '', KEY_OF_MINE: 'pawl_live_x' }
  const server = await serve(['--store', 'sqlite::memory:', '--role', 'server'])
  const set = ['profile', 'set', 'here', '--server', server.url, '--token-from-env', 'KEY_OF_MINE']
  expect((await pawl(set, { env })).code).toBe(0)
  const file = join(home, '.config/pawl/profiles.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const listed = await pawl(['profile', 'list', '--json'], { env })
  expect(JSON.parse(listed.stdout)).toEqual([{ name: 'here', url: server.url, hasKey: true, isUsed: true }])

  const made = await pawl(['api', 'dispatchAction', 'type=noop', 'config={}', 'delay=1h'], { env })
  const { id, status } = JSON.parse(made.stdout)
  expect([made.code, status]).toEqual([0, 'queued'])
  const got = await pawl(['api', 'getAction', `id=${id}`], { env })
  expect(JSON.parse(got.stdout)).toMatchObject({ id, type: 'noop' })
  const raw = await pawl(['api', 'GET', '/v1/actions?limit=1', 'filter=type:noop'], { env })
  expect(JSON.parse(raw.stdout).data).toHaveLength(1)

  const [wrong, unknown, missing] = await Promise.all([
    pawl(['api', 'getActoin'], { env }),
    pawl(['status', '--profile', 'their'], { env }),
    pawl(['api', 'getAction'], { env }),
  ])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean  getAction')])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no profile “their”')])
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('needs its id')])
  // A variable wins over what is only used.
  const elsewhere = await pawl(['api', 'listActions'], { env: { ...env, PAWL_URL: 'http://127.0.0.1:9' } })
  expect(elsewhere.code).toBe(7)
  writeFileSync(file, 'not json')
  expect((await pawl(['profile', 'list'], { env })).stderr).toContain('holds no profiles')
  await server.stop()
})

it('completion: every command and flag there is, for three shells', async () => {
  const [bash, zsh, fish, other] = await Promise.all(
    ['bash', 'zsh', 'fish', 'tcsh'].map((shell) => pawl(['completion', shell])),
  )
  expect(bash!.stdout).toMatch(/^ {4}"dead replay"\) words="[^"]*--profile/m)
  expect(bash!.stdout).toMatch(/^ {4}""\) words="serve [^"]*completion/m)
  expect(zsh!.stdout).toContain('#compdef pawl')
  expect(fish!.stdout).toContain("complete -c pawl -n '__fish_use_subcommand' -f -a 'serve worker")
  expect([other!.code, other!.stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})
