import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { open } from '../pawl/open.ts'
import { generateLoadTest } from './load-plan.ts'
import { type Sample, sumUp } from './load-report.ts'
import { loadTestParts, runLoadTest } from './load-run.ts'
import { mockRunner } from './mock.ts'
import { testPawl } from './test-pawl.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/definitions/fixtures/${name}.json`, import.meta.url), 'utf8'))
const crm = read('notify_crm_system')
const notice = read('send_termination_notice')
const small = { concurrency: 3, duration: '10s', rampUpTime: '3s' } as const

describe('F-111: generateLoadTest', () => {
  it('gives a plan, as data', () => {
    const plan = generateLoadTest(notice, { concurrency: 20, duration: '10m', rampUpTime: 60_000 })
    expect(plan).toEqual({
      actionId: 'send_termination_notice',
      concurrency: 20,
      duration: 600_000,
      rampUpTime: 60_000,
      pause: 1000,
      scenarios: [
        {
          name: 'typical',
          weight: 1,
          variables: {
            landlordEmail: 'landlordEmail-1',
            tenantName: 'tenantName-1',
            propertyAddress: 'propertyAddress-1',
          },
          message: { type: 'message.received', payload: { terminationDate: 'terminationDate-1' } },
        },
      ],
      action: notice,
    })
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })

  it('makes up values for every placeholder, nested ones too, and reaches no prototype', () => {
    const config = {
      a: '{{variables.owner.email}} {{ context.owner.name | upper }} {{subject.x}}',
      b: '{{event.payload.deep.er}} {{variables.owner}} {{variables.__proto__.polluted}}',
    }
    const [scenario] = generateLoadTest({ ...notice, config }, small).scenarios
    expect(scenario!.variables).toMatchObject({ owner: { email: 'email-1', name: 'name-1' }, x: 'x-1' })
    expect(scenario!.message.payload).toEqual({ deep: { er: 'er-1' } })
    expect({}).not.toHaveProperty('polluted')
  })

  it('takes contexts as they are, and makes faults for its share', () => {
    const contexts = [{ name: 'rich', weight: 3, variables: { a: 1 } }, { payload: { b: 2 } }]
    const { scenarios } = generateLoadTest(notice, { ...small, contexts, faultRate: 0.2 })
    expect(scenarios.map(({ name, weight, fault }) => [name, Number(weight.toFixed(3)), fault])).toEqual([
      ['rich', 2.4, undefined],
      ['typical 2', 0.8, undefined],
      ['rich, rate_limit first', 0.3, 'rate_limit'],
      ['rich, temporary_failure first', 0.3, 'temporary_failure'],
      ['typical 2, rate_limit first', 0.1, 'rate_limit'],
      ['typical 2, temporary_failure first', 0.1, 'temporary_failure'],
    ])
    expect(scenarios[0]).toMatchObject({ variables: { a: 1 } })
    expect(scenarios[1]).toMatchObject({ message: { payload: { b: 2 } } })
  })

  it('a policy that lists nothing fails as providers do; a rate of one leaves nothing sound', () => {
    const { scenarios } = generateLoadTest(crm, { ...small, faultRate: 1 })
    expect(scenarios.map(({ fault }) => fault)).toEqual(['service_unavailable', 'rate_limit'])
    const { retryPolicy, ...bare } = crm
    expect(generateLoadTest(bare, { ...small, faultRate: 1 }).scenarios).toHaveLength(2)
  })

  it.each([
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: 10_001 }, 'concurrency'],
    [{ faultRate: 1.1 }, 'faultRate'],
    [{ faultRate: Number.NaN }, 'faultRate'],
    [{ contexts: [] }, 'contexts'],
    [{ contexts: [{ weight: 0 }] }, 'contexts'],
    [{ duration: 'long' }, 'duration'],
  ])('%j is refused', (change, path) => {
    expect(() => generateLoadTest(notice, { ...small, ...change } as never)).toThrow(
      expect.objectContaining({ name: 'PawlError', details: expect.objectContaining({ path }) }),
    )
  })

  it.each([{}, { kind: 'machine', id: 'm', initial: 'a', states: { a: {} } }])(
    '%j is no action',
    (definition) => {
      expect(() => generateLoadTest(definition, small)).toThrow(
        expect.objectContaining({ code: 'invalid_definition' }),
      )
    },
  )
})

describe('F-111: running the plan, in virtual time', () => {
  it('people arrive over the ramp and ask again after each rest, until the time is over', async () => {
    const plan = generateLoadTest(crm, small)
    const webhook = mockRunner('webhook')
    const env = { PAWL_SECRET_CRM_API_TOKEN: 'token-of-the-test' }
    await using pawl = await testPawl({ ...loadTestParts(plan, [webhook]), secrets: { env } })
    const report = await runLoadTest(plan, { pawl })
    // They come at 0, 1 and 2 s and ask once a second until 10 s.
    expect(report).toMatchObject({
      actionId: 'notify_crm_system',
      ended: 10 + 9 + 8,
      succeeded: 27,
      failed: 0,
      unfinished: 0,
      attempts: 27,
      elapsed: 10_000,
      throughput: 2.7,
      latency: { p50: 0, p99: 0 },
      errors: {},
      scenarios: { typical: { ended: 27, succeeded: 27 } },
    })
    expect(new Set(webhook.interactions.map(({ key }) => key)).size).toBe(27)
  })

  it('faults are tried again by the policy, and told by their type; the latency is that of the backoff', async () => {
    const plan = generateLoadTest(notice, { ...small, faultRate: 1 })
    await using pawl = await testPawl(loadTestParts(plan, [mockRunner('sms'), mockRunner('email')]))
    const report = await runLoadTest(plan, { pawl })
    expect(report.succeeded).toBe(report.ended)
    expect(report.attempts).toBe(2 * report.ended)
    expect(report.latency).toEqual({ p50: 1000, p95: 1000, p99: 1000, max: 1000 })
    const { rate_limit = 0, temporary_failure = 0 } = report.errors
    expect([rate_limit > 0, temporary_failure > 0, rate_limit + temporary_failure]).toEqual([
      true,
      true,
      report.ended,
    ])
  })

  it('a fault that is not retryable ends the action', async () => {
    const plan = generateLoadTest(notice, small)
    const scenarios = plan.scenarios.map((each) => ({ ...each, fault: 'malformed_request' }))
    const broken = { ...plan, scenarios }
    await using pawl = await testPawl(loadTestParts(broken, [mockRunner('email')]))
    const report = await runLoadTest(broken, { pawl })
    expect(report).toMatchObject({
      succeeded: 0,
      failed: report.ended,
      errors: { malformed_request: report.ended },
    })
  })

  it('what does not end is given up, and counted', async () => {
    const plan = generateLoadTest(notice, { ...small, duration: '2s', rampUpTime: 0 })
    await using pawl = await testPawl(loadTestParts(plan, []))
    expect(await runLoadTest(plan, { pawl, patienceMs: 5000 })).toMatchObject({
      ended: 0,
      unfinished: 3,
      elapsed: 7000,
      throughput: 0,
      latency: { p50: 0, max: 0 },
    })
  })

  it('without a rest the clock moves on all the same', async () => {
    const plan = generateLoadTest(notice, { concurrency: 1, duration: 3000, pause: 0 })
    await using pawl = await testPawl(loadTestParts(plan, [mockRunner('email')]))
    expect(await runLoadTest(plan, { pawl })).toMatchObject({ ended: 3, elapsed: 3000 })
  })

  it('what is skipped, or cannot be made, has ended when it was asked for', async () => {
    const skipped = generateLoadTest({ ...notice, condition: false }, { ...small, concurrency: 1 })
    await using pawl = await testPawl(loadTestParts(skipped, [mockRunner('email')]))
    expect(await runLoadTest(skipped, { pawl })).toMatchObject({ ended: 10, failed: 10, attempts: 0 })
    const unmade = generateLoadTest(notice, { ...small, concurrency: 1, contexts: [{ variables: {} }] })
    await using other = await testPawl(loadTestParts(unmade, [mockRunner('email')]))
    expect(await runLoadTest(unmade, { pawl: other })).toMatchObject({ ended: 10, failed: 10, attempts: 0 })
  })

  it('other actions of the same runner are left alone', async () => {
    const plan = generateLoadTest(notice, { ...small, faultRate: 1 })
    await using pawl = await testPawl(loadTestParts(plan, [mockRunner('email')]))
    const { id } = await pawl.dispatch({ type: 'email', config: {}, options: {} })
    await pawl.advance({ by: '1s' })
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'succeeded', attempt: 1 })
  })
})

describe('F-111: running the plan, in real time', () => {
  it.each([0, 10])('works, looks and ends, with a rest of %i ms', async (pause) => {
    const plan = generateLoadTest(notice, { concurrency: 2, duration: 50, pause })
    const { definitions, runners } = loadTestParts(plan, [mockRunner('email')])
    const pawl = await open({ store: 'sqlite::memory:', definitions, runners, log: () => undefined })
    try {
      const report = await runLoadTest(plan, { pawl, time: 'real' })
      expect(report.succeeded).toBeGreaterThan(0)
      expect(report).toMatchObject({ failed: 0, unfinished: 0, ended: report.succeeded })
    } finally {
      await pawl.close()
    }
  })
})

describe('the report', () => {
  const sample = (latency: number, status: 'succeeded' | 'dead'): Sample => ({
    scenario: 'a',
    endedAt: 0,
    latency,
    action: {
      status,
      attempt: 1,
      attempts: [
        {
          number: 1,
          startedAt: '',
          worker: '',
          ...(status === 'dead' ? { outcome: 'timed_out' } : { outcome: 'succeeded' }),
        },
      ],
    },
  })

  it('percentiles are latencies that somebody had', () => {
    const samples = Array.from({ length: 200 }, (_, index) => sample(200 - index, 'succeeded'))
    expect(sumUp({ actionId: 'a', scenarios: [] }, samples, 0, 1000).latency).toEqual({
      p50: 100,
      p95: 190,
      p99: 198,
      max: 200,
    })
  })

  it('errors are told in the order of their types', () => {
    const failed = (type: string): Sample => ({
      ...sample(1, 'dead'),
      action: {
        status: 'dead',
        attempt: 1,
        attempts: [
          {
            number: 1,
            startedAt: '',
            worker: '',
            outcome: 'failed',
            error: { type, message: '', retryable: false },
          },
        ],
      },
    })
    const { errors } = sumUp({ actionId: 'a', scenarios: [] }, ['b', 'a', 'c', 'a'].map(failed), 0, 1)
    expect(Object.entries(errors)).toEqual([
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ])
  })

  it('an error without a type is told by its outcome; no time is no rate', () => {
    expect(
      sumUp({ actionId: 'a', scenarios: [] }, [sample(1, 'dead'), sample(1, 'dead')], 1, 0),
    ).toMatchObject({
      ended: 2,
      succeeded: 0,
      failed: 2,
      unfinished: 1,
      throughput: 0,
      errors: { timed_out: 2 },
    })
  })
})
