// The snippets of docs/guides/testing.md, run. Each region stands in the guide to the letter.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as pawl from '../../src/index.ts'
import { machine, runner } from '../../src/index.ts'
import * as testing from '../../src/testing/index.ts'
import {
  atEveryCrashPoint,
  generateLoadTest,
  given,
  loadTestParts,
  mockRunner,
  runLoadTest,
  testAction,
  testPawl,
} from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

// #region lease
const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  async execute({ config, ctx }) {
    const res = await ctx.fetch('https://push.example/send', { method: 'POST', json: config })
    return { id: (await res.json()).id }
  },
})

const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string() }),
  events: { 'notice.received': z.object({ until: z.iso.date() }) },
  uses: [notify],
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: {
      enter: ({ variables }) => notify({ to: variables.landlord, text: 'your tenant is leaving' }),
      on: { notified: 'terminating', 'action.failed': 'stuck' },
    },
    terminating: { after: { '30d': 'terminated' } },
    stuck: {},
    terminated: { final: true },
  },
})
// #endregion

describe('the guide to testing', () => {
  // #region given
  it('a notice leads to a message and a wait', () => {
    given(lease)
      .inState('active', { landlord: 'ada' })
      .when('notice.received', { until: '2026-12-31' })
      .leadsTo({ state: 'notice_received', actions: [{ type: 'notify', config: { to: 'ada' } }] })
      .whenSucceeded('notify', { id: 'msg_1' }, 'notified')
      .leadsTo({ state: 'terminating', waits: ['30d'] })
      .whenPassed('30d')
      .leadsTo({ state: 'terminated', status: 'completed' })
  })

  it('nothing else matters to it', () => {
    given(lease)
      .inState('terminating', { landlord: 'ada' })
      .when('notice.received', { until: '2026-12-31' })
      .isIgnored('no_transition')
  })
  // #endregion

  // #region engine
  it('tries again when it is throttled, and ends a month later', async () => {
    await using pawl = await testPawl({
      definitions: [lease],
      runners: [notify],
      now: '2026-12-01T09:00:00Z',
    })
    const mock = pawl.mock(notify, { succeed: { id: 'msg_1' }, fail: { times: 1, error: 'rate_limit' } })

    const run = await pawl.start(lease, { id: 'l_882', variables: { landlord: 'ada' } })
    await run.send('notice.received', { until: '2026-12-31' }, { id: 'evt_1' })
    await pawl.advance({ by: '1h' })

    expect(mock.interactions.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'failed'],
      [2, 'succeeded'],
    ])
    expect(new Set(mock.interactions.map(({ key }) => key)).size).toBe(1)

    await pawl.advance({ to: '2027-01-01T00:00:00Z' })
    expect(await run.get()).toMatchObject({ state: 'terminated', status: 'completed' })
  })
  // #endregion

  // #region story
  it('can be read', async () => {
    await using pawl = await testPawl({
      definitions: [lease],
      runners: [mockRunner(notify, { succeed: { id: 'm' } })],
    })
    await pawl.start(lease, { id: 'l_882', variables: { landlord: 'ada' } })
    await pawl.send('l_882', 'notice.received', { until: '2026-12-31' })
    await pawl.advance({ by: '40d' })
    expect(await pawl.story('l_882')).toBe(
      `
lease l_882
2026-01-01 00:00:00Z  it starts in active
2026-01-01 00:00:00Z  notice.received: from active to notice_received
                      it asks for notify
2026-01-01 00:00:00Z  notify, attempt 1, succeeds with {"id":"m"}
2026-01-01 00:00:00Z  notified: from notice_received to terminating
                      it waits in terminating until 2026-01-31 00:00:00Z at most (30d)
2026-01-31 00:00:00Z  30d in terminating have passed: from terminating to terminated
now: completed in terminated
`.trim(),
    )
  })
  // #endregion

  // #region action
  const sendNotice = {
    actionId: 'send_notice',
    type: 'sms',
    triggerState: 'notice_received',
    config: {
      to: '{{execution.variables.phone}}',
      message: 'Your tenant leaves on {{message.payload.until}}',
    },
    delivery: 'at_least_once',
  }

  it('one action of a file, without a machine, a store or a provider', async () => {
    const tested = await testAction(
      sendNotice,
      { variables: { phone: '+44 1' }, message: { payload: { until: '2026-12-31' } } },
      { mocks: { sms: { fail: { times: 1, error: 'service_unavailable' } } } },
    )
    expect(tested.success).toBe(true)
    expect(tested.validation).toEqual({ isValid: true, errors: [] })
    expect(tested.mockInteractions[1]).toMatchObject({
      attempt: 2,
      config: { to: '+44 1', message: 'Your tenant leaves on 2026-12-31' },
    })
    expect(tested.recommendations.map(({ code }) => code)).toEqual(['may_repeat'])
  })
  // #endregion

  const file = join(folder, 'crash.db')
  // #region crash
  it('a crash after the effect: the message goes out again, under the same key', async () => {
    const sent = mockRunner(notify, { succeed: { id: 'msg_1' } })
    await using pawl = await testPawl({ store: `sqlite:${file}`, definitions: [lease], runners: [sent] })
    await pawl.start(lease, { id: 'l_882', variables: { landlord: 'ada' } })
    await pawl.send('l_882', 'notice.received', { until: '2026-12-31' }, { id: 'evt_1' })

    pawl.crash({ at: 'after effect' })
    await expect(pawl.advance({ by: '1h' })).rejects.toThrow('stopped dead after effect')
    await pawl.restart()
    await pawl.advance({ by: '1h' })

    const [first, second, ...more] = sent.interactions
    expect(second).toMatchObject({ key: first!.key, config: first!.config, attempt: 2 })
    expect(more).toEqual([])
  })
  // #endregion

  // #region every
  it('wherever it dies, nothing is lost and nothing gets another key', async () => {
    const { points } = await atEveryCrashPoint({
      open: () => testPawl({ definitions: [lease], runners: [mockRunner(notify, { succeed: { id: 'm' } })] }),
      scenario: async (pawl) => {
        await pawl.start(lease, { id: 'l_882', variables: { landlord: 'ada' } })
        await pawl.send('l_882', 'notice.received', { until: '2026-12-31' }, { id: 'evt_1' })
        await pawl.advance({ by: '1h' })
      },
      check: async (pawl) => {
        expect(await pawl.executions.get('l_882')).toMatchObject({ state: 'terminating' })
        expect(new Set(pawl.performed(notify).map(({ key }) => key)).size).toBe(1)
      },
    })
    expect(points.length).toBeGreaterThan(10)
  })
  // #endregion

  // #region load
  it('twenty people for ten minutes, in a moment', async () => {
    const plan = generateLoadTest(sendNotice, {
      concurrency: 20,
      duration: '10m',
      rampUpTime: '1m',
      pause: '30s',
      faultRate: 0.1,
    })
    await using pawl = await testPawl(loadTestParts(plan, [mockRunner('sms')]))
    const report = await runLoadTest(plan, { pawl })
    expect(report.failed).toBe(0)
    expect(report.attempts - report.ended).toBe(
      report.errors['rate_limit']! + report.errors['service_unavailable']!,
    )
    expect(report.latency.p50).toBe(0)
    expect(report.latency.max).toBeGreaterThan(0)
  })
  // #endregion
})

describe('the page', () => {
  const page = readFileSync(new URL('../../docs/guides/testing.md', import.meta.url), 'utf8')
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  const regions = [...source.matchAll(/^( *)\/\/ #region (\w+)\n([\s\S]*?)^ *\/\/ #endregion$/gm)]

  it.each(
    regions.map(([, indent, name, code]) => ({
      name,
      code: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    })),
  )('shows $name to the letter', ({ code }) => {
    expect(page).toContain(`\`\`\`ts\n${code}\`\`\`\n`)
  })

  it('imports what there is', () => {
    const imported = [...page.matchAll(/^import \{([^}]+)\} from '(pawl[^']*)'$/gm)].flatMap(
      ([, names, from]) => names!.split(',').map((name) => [from, name.trim()]),
    )
    const known: Readonly<Record<string, object>> = { pawl, 'pawl/testing': testing }
    expect(imported.filter(([from, name]) => name !== '' && !(name! in (known[from!] ?? {})))).toEqual([])
    expect(imported.length).toBeGreaterThan(8)
  })

  it('names every function of the kit', () => {
    expect(Object.keys(testing).filter((name) => !page.includes(`\`${name}`))).toEqual([])
  })
})
