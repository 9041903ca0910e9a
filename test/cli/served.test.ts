// Commands that speak to a running server: each of them, in a process of its own, against one `pawl serve`.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recurringCases } from './recurring-cases.ts'
import { folder, type Process, pawl, ROOT, type Spawning, serve, start } from './spawn.ts'

let server: Process & { readonly url: string }
let home = ''
const SECRETS_KEY = randomBytes(32).toString('base64')

beforeAll(async () => {
  home = folder()
  const args = [
    '--store',
    `sqlite:${join(home, 'pawl.db')}`,
    '--definitions',
    join(ROOT, 'examples/definitions'),
  ]
  server = await serve([...args, '--sandbox', '--log-format', 'json'], {
    env: { PAWL_SECRETS_KEY: SECRETS_KEY },
  })
})
afterAll(() => server?.stop())

const on = (args: readonly string[], options: Spawning = {}) =>
  pawl(args, { ...options, env: { PAWL_URL: server.url, ...options.env } })

/** What a command prints as JSON. */
const data = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await on([...args, '--json'])
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('✕')])
  return JSON.parse(stdout)
}

/** Until the execution is in this state. */
const until = (id: string, state: string): Promise<unknown> =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${server.url}/v1/executions/${id}`)
      expect(((await answer.json()) as { readonly state: string }).state).toBe(state)
    },
    { timeout: 60_000, interval: 200 },
  )

it('the first lines say where to look, and the line to try works', async () => {
  const said = server.stderr()
  for (const word of ['API', 'docs', 'metrics', 'Data', 'lease, order', 'local: no key needed'])
    expect(said).toContain(word)
  const [, body] = /Try +curl -X POST \S+ .*-d '(.*)'/.exec(said)!
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/v1/executions`, { method: 'POST', headers, body: body! })
  expect(answer.status).toBe(201)
})

it('actions run-many: a list from a file, all or none', async () => {
  const file = join(home, 'many.json')
  const body = (n: number, more: object = {}) => ({ type: 'pigeon', config: { n }, delay: '1h', ...more })
  writeFileSync(file, JSON.stringify([body(1), body(2)]))
  expect(await data('actions', 'run-many', `@${file}`)).toMatchObject([
    { config: { n: 1 } },
    { config: { n: 2 } },
  ])
  writeFileSync(file, JSON.stringify([body(3), body(4, { priority: 1000 })]))
  const refused = await on(['actions', 'run-many', `@${file}`])
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('1.priority')
  expect((await on(['actions', 'run-many', '{}'])).code).toBe(2)
  expect(await data('actions', 'list', '--type', 'pigeon')).toHaveLength(2)
})

describe('a walk through an order', () => {
  it('start, send, and the same event again', async () => {
    const args = ['start', 'order', 'customer=ada@example.com', '--id', 'o_1']
    expect(await data(...args)).toMatchObject({
      id: 'o_1',
      state: 'placed',
      variables: { customer: 'ada@example.com' },
    })
    expect(await data('send', 'o_1', 'paid', '--id', 'e1')).toMatchObject({ applied: true, duplicate: false })
    expect(await data('executions', 'send', 'o_1', 'paid', '--id', 'e1')).toMatchObject({ duplicate: true })
    const again = await on(['start', 'order', 'customer=eve@example.com', '--id', 'o_1'])
    expect([again.code, again.stdout]).toEqual([6, ''])
    await until('o_1', 'done')
  })

  it('executions list, get, history, timeline, actions', async () => {
    expect(await data('executions', 'list', '--definition', 'order')).toMatchObject([
      { id: 'o_1', status: 'completed' },
    ])
    expect(await data('executions', 'get', 'o_1')).toMatchObject({ state: 'done' })
    expect((await data('executions', 'history', 'o_1')).map(({ seq }: { seq: number }) => seq)).toEqual([
      1, 2, 3, 4,
    ])
    expect((await data('executions', 'timeline', 'o_1')).length).toBeGreaterThan(3)
    expect(await data('executions', 'actions', 'o_1')).toHaveLength(2)
    const table = await on(['executions', 'list'])
    expect(table.stdout).toMatch(/^STATUS +ID +DEFINITION +STATE +SINCE\n/)
  })

  it('actions list and get, with the fields one asks for', async () => {
    const { stdout } = await on(['actions', 'list', '--type', 'email', '--jsonl'])
    const [action] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(action).toMatchObject({ name: 'tell_customer', status: 'succeeded' })
    const fields = await on(['actions', 'get', action.id, '--json', 'status,source.kind'])
    expect(JSON.parse(fields.stdout)).toEqual({ status: 'succeeded', 'source.kind': 'machine' })
    expect((await on(['actions', 'get', action.id])).stdout).toContain('attempt 1')
  })

  it('why says what is waited for, of an action and of an execution', async () => {
    await data('start', 'lease', 'landlord=a@b.co', '--id', 'l_1')
    expect(await data('why', 'l_1')).toMatchObject({ status: 'active', reasons: [{ code: 'active' }] })
    const late = await data('actions', 'run', 'webhook', 'url=https://example.com', '--delay', '1h')
    expect(await data('why', late.id)).toMatchObject({
      status: 'scheduled',
      reasons: [{ code: 'scheduled' }],
    })
    expect(await data('actions', 'cancel', late.id, '--reason', 'not needed')).toMatchObject({
      status: 'cancelled',
    })
  })

  it('executions pause, resume, patch, cancel', async () => {
    expect(await data('executions', 'pause', 'l_1', '--reason', 'holiday')).toMatchObject({
      status: 'paused',
    })
    expect(await data('executions', 'resume', 'l_1')).toMatchObject({ status: 'active' })
    await data('executions', 'patch', 'l_1', 'address=1 Elm')
    expect((await data('executions', 'get', 'l_1')).variables).toMatchObject({ address: '1 Elm' })
    expect(await data('executions', 'cancel', 'l_1')).toMatchObject({ status: 'cancelled' })
  })
})

describe('actions and dead letters', () => {
  it('run --wait ends with how it ended: 0, 5 or 8', async () => {
    const good = await on([
      'actions',
      'run',
      'email',
      'to=a@b.co',
      'subject=hi',
      'text=yo',
      '--wait',
      '--json',
    ])
    expect([good.code, JSON.parse(good.stdout).status]).toEqual([0, 'succeeded'])
    // A private address: refused by the guarded door, and no retry would help.
    const bad = await on([
      'actions',
      'run',
      'webhook',
      '--with',
      '{"url":"http://127.0.0.1:1/","provider":"http"}',
      '--wait',
      '--json',
      'id,status',
    ])
    expect([bad.code, JSON.parse(bad.stdout)]).toEqual([5, { id: expect.any(String), status: 'dead' }])
    const slow = await on([
      'actions',
      'run',
      'email',
      'to=a@b.co',
      'subject=hi',
      'text=yo',
      '--delay',
      '1h',
      '--wait',
      '--timeout',
      '1ms',
    ])
    expect([slow.code, slow.stderr]).toEqual([
      8,
      expect.stringContaining('come back with: pawl actions get act_'),
    ])
  })

  it('dead groups and show; status says that something needs a person', async () => {
    const [group] = await data('dead', 'groups')
    expect(group).toMatchObject({ actionType: 'webhook', count: 1 })
    expect(await data('dead', 'show', group.id)).toMatchObject([{ status: 'dead' }])
    const { stdout } = await on(['status'])
    expect(stdout).toContain('1 thing needs you')
    expect(stdout).toContain(`pawl dead show ${group.id}`)
    expect(await data('status')).toMatchObject({
      needs: [{ text: expect.stringContaining('1 dead letter') }],
    })
  })

  it('dead replay asks first, counts dry, runs as a bulk operation and ends with 5 when some fail again', async () => {
    const [group] = await data('dead', 'groups')
    expect(await data('dead', 'replay', group.id, '--dry-run')).toEqual({ count: 1 })
    const unasked = await on(['dead', 'replay', group.id])
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('expected  --yes')])
    const replayed = await on(['dead', 'replay', group.id, '--yes', '--json'])
    const bulk = JSON.parse(replayed.stdout)
    expect([replayed.code, bulk]).toEqual([5, expect.objectContaining({ total: 1, failed: 1 })])
    expect(await data('bulk', 'show', bulk.id)).toMatchObject({ id: bulk.id })
    expect(await data('bulk', 'list')).toMatchObject([{ id: bulk.id }])
    expect(await data('bulk', 'failures', bulk.id)).toHaveLength(1)
    expect((await on(['bulk', 'watch', bulk.id])).code).toBe(5)
    for (const verb of ['pause', 'resume', 'stop']) expect((await on(['bulk', verb, bulk.id])).code).toBe(6)
  })

  it('actions retry, replay, archive, run-now; dead retry and archive', async () => {
    const dead = async (): Promise<string> => {
      await vi.waitFor(async () => expect(await data('dead', 'show')).toHaveLength(1), { timeout: 60_000 })
      return (await data('dead', 'show'))[0].id
    }
    for (const args of [
      ['actions', 'retry'],
      ['actions', 'replay'],
      ['dead', 'retry'],
    ]) {
      expect((await on([...args, await dead()])).code).toBe(0)
    }
    expect((await on(['dead', 'archive', await dead()])).code).toBe(0)
    expect(await data('dead', 'show')).toEqual([])
    const late = await data('actions', 'run', 'email', 'to=a@b.co', 'subject=s', 'text=t', '--delay', '1h')
    expect((await on(['actions', 'run-now', late.id])).code).toBe(0)
    expect((await on(['actions', 'archive', late.id])).code).toBe(6)
    expect((await on(['actions', 'resolve', late.id, 'succeeded'])).code).toBe(6)
    expect((await on(['actions', 'get', 'act_none'])).code).toBe(3)
  })
})

describe('agenda', () => {
  it('what will happen, day by day; and what comes later when nothing does', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = {
      namespace: 'default',
      tenant: 'default',
      cron_expr: '0 9 * * *',
      timezone: 'America/New_York',
      provider: 'email',
      action_type: 'digest',
      payload: { to: 'a@b.co', subject: 's', text: 't' },
    }
    const url = `${server.url}/v1/recurring`
    const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const { recurring_id } = (await made.json()) as { readonly recurring_id: string }
    const args = [
      'agenda',
      '--definition',
      recurring_id,
      '--tz',
      'Europe/London',
      '--from',
      '2046-07-01T00:00:00Z',
    ]
    const { stdout } = await on([...args, '--days', '2'])
    expect(stdout).toBe(
      [
        'Sun 1 Jul 2046',
        '  09:00 EDT  14:00 here  digest (email)  recurrence  Every day at 09:00 (America/New_York)',
        'Mon 2 Jul 2046',
        '  09:00 EDT  14:00 here  digest (email)  recurrence  Every day at 09:00 (America/New_York)',
        '',
      ].join('\n'),
    )
    expect(await data('agenda', '--kind', 'recurrence', '--days', '3')).toHaveLength(3)
    const none = await on(['agenda', '--kind', 'journey', '--days', '1'])
    expect([none.code, none.stdout, none.stderr]).toEqual([
      0,
      '',
      'Nothing is due in the next day. Nor in the year after.\n',
    ])
    expect((await on(['agenda', '--days', 'soon'])).code).toBe(2)
  })
})

describe('definitions', () => {
  it('diff, apply and export, and apply again changes nothing', async () => {
    const cwd = folder()
    const file = join(cwd, 'bell.yaml')
    writeFileSync(
      file,
      'kind: machine\nid: bell\ninitial: still\nstates: { still: { on: { ring: loud } }, loud: {} }\n',
    )
    const before = await on(['diff', file], { cwd })
    expect(before.stdout).toContain('+ machine bell')
    expect((await on(['diff', file, '--exit-code'], { cwd })).code).toBe(1)
    expect(await data('apply', file)).toMatchObject([{ id: 'bell', change: 'new', version: 1 }])
    expect((await on(['apply', file], { cwd })).stderr).toContain('1 definitions, 0 applied')
    writeFileSync(
      file,
      'kind: machine\nid: bell\ninitial: still\nstates: { still: { on: { ring: still } } }\n',
    )
    expect((await on(['diff', file], { cwd })).stdout).toContain('- states.still.on.ring: "loud"')
    expect(JSON.parse((await on(['export', 'bell'])).stdout)).toMatchObject({
      kind: 'machine',
      id: 'bell',
      initial: 'still',
    })
    expect((await on(['export', 'none'])).code).toBe(3)
  })

  it('apply sends nothing while a file has an error', async () => {
    const refused = await on(['apply', join(ROOT, 'test/definitions/bad/action-durations.yaml')])
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('0 applied')
  })
})

describe('recurrences', () => recurringCases({ on, data }))

describe('tail, tasks, secrets', () => {
  it('tail follows, and Ctrl-C ends it with 130', async () => {
    const tail = start(['tail', '--jsonl'], { env: { PAWL_URL: server.url } })
    await vi.waitFor(
      async () => {
        await on(['start', 'order', 'customer=a@b.co'])
        expect(tail.stdout()).toContain('"type":"execution.transitioned"')
      },
      { timeout: 60_000 },
    )
    expect(await tail.stop('SIGINT')).toBe(130)
  })

  it('tasks', async () => {
    expect(await data('tasks', 'list', '--status', 'open')).toEqual([])
    expect((await on(['tasks', 'get', 'tsk_none'])).code).toBe(3)
    expect((await on(['tasks', 'complete', 'tsk_none', '--result', '{"ok":true}'])).code).toBe(3)
  })

  it('secrets come from a pipe, are listed by name and never shown', async () => {
    const set = await on(['secrets', 'set', 'mail_key', '--hosts', 'api.mail.example'], {
      input: 'hush-hush\n',
    })
    expect([set.code, set.stdout]).toEqual([0, ''])
    const listed = await on(['secrets', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'mail_key' }])
    expect(listed.stdout).not.toContain('hush')
    expect((await on(['secrets', 'set', 'x', '--from-env', 'NOT_SET'])).code).toBe(2)
    expect((await on(['secrets', 'remove', 'mail_key'])).code).toBe(0)
    expect(await data('secrets', 'list')).toEqual([])
  })
})

it('--explain prints the request as a line of curl, without the key, and sends nothing', async () => {
  const { code, stdout } = await on([
    'send',
    'o_1',
    'paid',
    'by=ada',
    '--explain',
    '--token',
    'pawl_live_hush',
  ])
  expect(code).toBe(0)
  expect(stdout).toContain(`curl -X POST '${server.url}/v1/executions/o_1/events'`)
  expect(stdout).toContain(`--data '{"type":"paid","payload":{"by":"ada"}}'`)
  expect(stdout).toContain('Bearer $PAWL_TOKEN')
  expect(stdout).not.toContain('hush')
})

it('keys: made, listed, needed from then on, revoked', async () => {
  expect(await data('keys', 'list')).toEqual([])
  const made = await on(['keys', 'create', 'ops', '--scopes', 'admin,operate,read'])
  const token = made.stdout.trim()
  expect([made.code, token]).toEqual([0, expect.stringMatching(/^pawl_/)])
  await vi.waitFor(async () => expect((await on(['executions', 'list'])).code).toBe(4), { timeout: 60_000 })
  const listed = await on(['keys', 'list', '--json', 'id,name'], { env: { PAWL_TOKEN: token } })
  const [key] = JSON.parse(listed.stdout)
  expect(key).toMatchObject({ name: 'ops' })
  // Whoever has the store needs no key to it.
  const direct = await pawl(['keys', 'revoke', key.id, '--store', `sqlite:${join(home, 'pawl.db')}`])
  expect(direct.code).toBe(0)
})
