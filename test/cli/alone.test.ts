// Commands that need neither a server nor a store, and the entry itself.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NEEDED_FLAGS, NEEDED_NODE } from '../../src/cli/node.ts'
import { VERSION } from '../../src/version.ts'
import { BIN, folder, pawl, ROOT } from './spawn.ts'

describe('the entry', () => {
  it('starts Node with code generation off and without __proto__', async () => {
    const { stdout } = await pawl(['doctor', '--json', 'name,status'])
    expect(JSON.parse(stdout)).toContainEqual({ name: 'process', status: 'ok' })
  })

  it('says the same of Node and flags as the command line does', () => {
    const text = readFileSync(BIN, 'utf8')
    expect(text).toContain(`const NEEDED = [${NEEDED_NODE.join(', ')}]`)
    for (const flag of NEEDED_FLAGS) expect(text).toContain(`'${flag}'`)
  })

  it('an older Node is told which one is needed', () => {
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find(
      (file) => existsSync(file) && /^v(20|21)\./.test(spawnSync(file, ['-v'], { encoding: 'utf8' }).stdout),
    )
    // Without an old Node at hand, its version is put on: the entry reads nothing else of it.
    const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})`
    const args = old === undefined ? ['--import', preload, BIN, '--version'] : [BIN, '--version']
    const { status, stderr } = spawnSync(old ?? process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('pawl needs Node 22.18 or later')
  })

  it('tells its version', async () => {
    expect(await pawl(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
  })

  it('loads stores, engine, definitions and their libraries only for a command that needs them', () => {
    const listen = `import { registerHooks } from 'node:module'
      registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
      await import('./src/cli/program.ts')`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', listen], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const loaded = stdout.split('\n')
    expect(loaded.filter((url) => url.endsWith('/src/cli/serve.ts'))).toHaveLength(1)
    expect(
      loaded.filter((url) => /src\/(store|pawl|server|runners)\/|core\/time\/cron|zod|yaml/.test(url)),
    ).toEqual([])
  })
})

describe('mistakes', () => {
  it.each([
    [['verfy'], /unknown command 'verfy'[\s\S]*Did you mean verify/],
    [['serve', '--prot', '1'], /unknown option '--prot'[\s\S]*Did you mean --port/],
    [['migrate', 'extra'], /too many arguments/],
    [['why'], /missing required argument 'id'/],
    [['migrate'], /no store is named[\s\S]*expected +--store sqlite/],
    [['migrate', '--store', 'mysql://x'], /does not name a store/],
    [['config', 'print', '--json', 'kye'], /there is no field “kye”[\s\S]*did you mean +key/],
    [['status', '--server', 'ftp://x'], /is no address of a server/],
    [['status', '--server', 'http://x', '--store', 'sqlite:y'], /name two targets/],
  ])('%j ends with 2 and says what was meant', async (args, told) => {
    const { code, stdout, stderr } = await pawl(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(told)
  })

  it('a server that is away ends with 7', async () => {
    const { code, stderr } = await pawl(['status', '--server', 'http://127.0.0.1:9'])
    expect(code).toBe(7)
    expect(stderr).toContain('no server answers at http://127.0.0.1:9')
  })
})

describe('validate', () => {
  it('says where, what, what was expected and what was meant', async () => {
    const { code, stdout, stderr } = await pawl(['validate', 'test/definitions/bad/action-durations.yaml'], {
      cwd: ROOT,
    })
    expect(code).toBe(2)
    expect(stdout).toMatch(/^✕ test\/definitions\/bad\/\S+:\d+:\d+ /)
    expect(stderr).toMatch(/1 file, \d+ definitions?, \d+ errors?/)
  })

  it('also of the config of an action, by its runner', async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, 'bell.yaml'),
      'kind: machine\nid: bell\ninitial: a\nstates:\n  a:\n    enter: { type: webhook, config: { url: "https://a.example", metod: PUT } }\n',
    )
    const { code, stdout } = await pawl(['validate'], { cwd })
    expect([code, stdout]).toEqual([2, expect.stringContaining('✕ bell.yaml:6:')])
    expect(stdout).toContain('did you mean method?')
  })

  it('what is right ends with 0, and TypeScript is read too', async () => {
    const cwd = folder()
    const index = join(ROOT, 'src/index.ts')
    writeFileSync(
      join(cwd, 'light.ts'),
      `import { machine } from ${JSON.stringify(index)}\nexport const light = machine({ id: 'light', initial: 'off', states: { off: {} } })\n`,
    )
    writeFileSync(join(cwd, 'bell.yaml'), 'kind: machine\nid: bell\ninitial: still\nstates: { still: {} }\n')
    const { code, stdout, stderr } = await pawl(['validate'], { cwd })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 files, 2 definitions, 0 errors\n',
    })
  })

  it('as JSON it is a list for programs', async () => {
    const args = ['validate', 'test/definitions/bad/action-durations.yaml', '--json', 'line,severity', '-q']
    const found = JSON.parse((await pawl(args, { cwd: ROOT })).stdout)
    expect(found[0]).toEqual({ line: expect.any(Number), severity: 'error' })
  })
})

describe('config print', () => {
  const rows = async (args: readonly string[], options: Parameters<typeof pawl>[1]) => {
    const { stdout } = await pawl(['config', 'print', ...args, '--json', 'key,value,source'], options)
    return new Map((JSON.parse(stdout) as { key: string }[]).map((row) => [row.key, row]))
  }

  it('shows what holds and who said so: flag, variable, file, nobody', async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, 'pawl.toml'),
      'port = 1\nslots = 2\n[secrets]\nkey = "k"\n[services.crm]\nbaseUrl = "https://crm"\n',
    )
    const found = await rows(['--store', 'sqlite:x.db'], { cwd, env: { PAWL_PORT: '3' } })
    expect(['store', 'port', 'slots', 'host'].map((key) => found.get(key))).toEqual([
      { key: 'store', value: 'sqlite:x.db', source: '--store' },
      { key: 'port', value: 3, source: 'PAWL_PORT' },
      { key: 'slots', value: 2, source: join(cwd, 'pawl.toml') },
      { key: 'host', value: '127.0.0.1', source: 'default' },
    ])
    expect(found.get('secrets.key')).toMatchObject({ value: '••••' })
  })

  it('reads a file of settings in TypeScript', async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, 'pawl.config.ts'),
      `export default { slots: 7 as number, log: { level: 'warn' } }\n`,
    )
    const found = await rows([], { cwd })
    expect(found.get('slots')).toMatchObject({ value: 7 })
    expect(found.get('log.level')).toMatchObject({ value: 'warn' })
  })

  it('the password of a store is not shown, and a table is for people', async () => {
    const { stdout } = await pawl(['config', 'print', '--sources', '--store', 'postgres://me:hush@db/x'])
    expect(stdout).toContain('postgres://me:…@db/x')
    expect(stdout).not.toContain('hush')
    expect(stdout).toMatch(/^SETTING +VALUE +SOURCE +VARIABLE\n/)
  })

  it('an unknown variable is a warning, an unknown key of a file an error', async () => {
    const warned = await pawl(['config', 'print'], { env: { PAWL_PROT: '1' } })
    expect([warned.code, warned.stderr]).toEqual([
      0,
      '! PAWL_PROT is not a variable of Pawl; did you mean PAWL_PORT?\n',
    ])
    const cwd = folder()
    writeFileSync(join(cwd, 'pawl.toml'), 'stroe = "x"\n')
    const refused = await pawl(['config', 'print'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/stroe[\s\S]*did you mean +store/)
  })
})

it('next says when a cron fires, in its zone, without a server', async () => {
  const sundays = ['next', '30 1 * * SUN', '--tz', 'Europe/London', '--from', '2026-10-19', '-n', '2']
  expect(await pawl(sundays)).toEqual({
    code: 0,
    stdout: `At 01:30, only on Sunday (Europe/London)
  Sun 25 Oct 2026 01:30 BST  2026-10-25T00:30:00Z   ⌁ 01:30 happens twice; runs once, at the first
  Sun  1 Nov 2026 01:30 GMT  2026-11-01T01:30:00Z
`,
    stderr: '',
  })
  const wrong = await pawl(['next', '61 * * * *'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean  59')])
})
