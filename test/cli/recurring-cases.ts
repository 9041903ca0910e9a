// `pawl recurring …` against the server of served.test.ts: every verb once, and recurrences from files.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, type Ran } from './spawn.ts'

interface Served {
  readonly on: (args: readonly string[]) => Promise<Ran>
  /** What a command prints as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what is in it
  readonly data: (...args: readonly string[]) => Promise<any>
}

export const recurringCases = ({ on, data }: Served): void => {
  it('create, list, get, update, pause, resume, run, skip, backfill, history, next, delete', async () => {
    const digest = ['0 9 * * MON-FRI', 'email', 'to=a@b.co', 'subject=hi', 'text=yo']
    const { recurring_id: id } = await data('recurring', 'create', ...digest, '--timezone', 'Europe/London')
    const of = (verb: string, ...more: string[]) => data('recurring', verb, id, ...more)
    expect(await data('recurring', 'list', '--enabled')).toContainEqual(
      expect.objectContaining({ id, cron_expr: '0 9 * * MON-FRI' }),
    )
    expect((await on(['recurring', 'list'])).stdout).toMatch(
      /^STATUS +ID +WHEN +DOES +NEXT +LAST +RUNS\n▶ active/,
    )
    expect((await on(['recurring', 'get', id])).stdout).toContain('Weekdays at 09:00 (Europe/London)')
    expect(await of('update', '--cron', '0 0 * * *', '--timezone', 'UTC', 'to=c@d.co')).toMatchObject({
      cron_expr: '0 0 * * *',
      action_template: { payload: { to: 'c@d.co' } },
    })
    expect((await on(['recurring', 'update', id])).code).toBe(2)
    expect(await of('pause')).toMatchObject({ enabled: false, next_execution_at: null })
    expect((await on(['recurring', 'resume', id])).stdout).toMatch(/ active, next /)
    const [first, second] = await of('next', '-n', '2')
    expect(await of('skip')).toMatchObject({ next_execution_at: second.at.replace('Z', '.000Z') })
    expect(await of('run')).toMatchObject({ execution_count: 1 })
    const range = ['--from', '2020-01-01T00:00:00Z', '--to', '2020-01-02T00:00:00Z']
    expect(await of('backfill', ...range)).toEqual([{ at: '2020-01-01T00:00:00.000Z' }])
    expect((await of('history')).map(({ reason }: { reason: string }) => reason)).toEqual([
      'asked',
      'run_now',
      'backfill',
    ])
    expect((await on(['next', id])).stdout).toContain(`Every day at 00:00 (UTC)\n  `)
    expect(first.local).toMatch(/ 00:00 UTC$/)
    expect((await on(['recurring', 'delete', id])).code).toBe(2)
    expect((await on(['recurring', 'delete', id, '--yes'])).code).toBe(0)
    expect((await on(['recurring', 'get', id])).code).toBe(3)
  })

  it('from a file: diff, apply, export; deleted, apply brings it back; what it says is not changed by hand', async () => {
    const file = join(folder(), 'ping.yaml')
    const text =
      'kind: recurring\nid: ping\ncron: "0 9 * * *"\ntimezone: UTC\naction: { type: delay, config: {} }\n'
    writeFileSync(file, text)
    expect((await on(['diff', file])).stdout).toContain('+ recurrence ping')
    expect(await data('apply', file)).toMatchObject([{ kind: 'recurrence', id: 'ping', change: 'new' }])
    expect(JSON.parse((await on(['export', 'ping'])).stdout)).toMatchObject({
      kind: 'recurrence',
      id: 'ping',
    })
    expect((await on(['recurring', 'update', 'ping', '--cron', '0 8 * * *'])).code).toBe(6)
    await on(['recurring', 'delete', 'ping', '--yes'])
    expect(await data('apply', file)).toMatchObject([{ change: 'new', version: 1 }])
    writeFileSync(file, text.replace('0 9', '0 8'))
    expect(await data('apply', file)).toMatchObject([{ change: 'changed', version: 2 }])
    expect(await data('recurring', 'get', 'ping')).toMatchObject({ cron_expr: '0 8 * * *', enabled: true })
  })
}
