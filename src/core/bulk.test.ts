import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bulk, matches, paceOf, progress, START, type Target, turn } from './bulk.ts'

const NOW = 1_800_000_000_000
const bulk = (over: Partial<Bulk> = {}): Bulk => ({
  kind: 'replay',
  status: 'running',
  filter: {},
  ratePerSecond: 100,
  total: 10,
  sent: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  row: 0,
  cursor: START,
  ...over,
})

describe('which actions are meant', () => {
  const target: Target = {
    id: 'a',
    type: 'mail',
    name: 'welcome',
    tags: ['urgent'],
    execution: 'x_1',
    errorType: 'timeout',
    at: 50,
  }
  it.each([
    [{}, true],
    [{ type: 'mail' }, true],
    [{ type: 'sms' }, false],
    [{ name: 'welcome' }, true],
    [{ name: 'bye' }, false],
    [{ errorType: 'timeout' }, true],
    [{ errorType: 'refused' }, false],
    [{ execution: 'x_1' }, true],
    [{ execution: 'x_2' }, false],
    [{ tag: 'urgent' }, true],
    [{ tag: 'old' }, false],
    [{ since: 50 }, true],
    [{ since: 51 }, false],
    [{ until: 51 }, true],
    [{ until: 50 }, false],
    [{ ids: ['b', 'a'] }, true],
    [{ ids: ['b'] }, false],
  ])('%o: %s', (filter, meant) => expect(matches(filter, target)).toBe(meant))

  it('what has no execution and no error is not meant by either', () => {
    const bare: Target = { ...target, execution: null, errorType: undefined }
    expect(matches({ execution: 'x_1' }, bare)).toBe(false)
    expect(matches({ errorType: 'timeout' }, bare)).toBe(false)
    expect(matches({}, bare)).toBe(true)
  })
})

describe('pace', () => {
  it.each([
    [100, 10, 100],
    [5, 1, 200],
    [0.5, 1, 2000],
    [10_000, 100, 10],
    [95, 9, 95],
  ])('%d a second: %d at once, then %d ms', (ratePerSecond, step, gapMs) =>
    expect(paceOf(bulk({ ratePerSecond }))).toEqual({ step, gapMs }),
  )

  it('F41: no second sees more than the rate, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 10_000, noNaN: true }), (ratePerSecond) => {
        const { step, gapMs } = paceOf(bulk({ ratePerSecond }))
        expect(step).toBeGreaterThanOrEqual(1)
        expect(step / gapMs).toBeLessThanOrEqual(ratePerSecond / 1000 + 1e-9)
      }),
    )
  })
})

describe('progress', () => {
  it('adds what was sent, skipped and heard of', () => {
    const after = progress(
      bulk({ sent: 3 }),
      { sent: 2, skipped: 1, cursor: 'c', outcomes: ['succeeded', 'failed'] },
      NOW,
    )
    expect(after).toEqual(bulk({ sent: 5, skipped: 1, cursor: 'c', succeeded: 1, failed: 1, row: 1 }))
  })

  it('ends when nothing is left to send and everything sent was heard of', () => {
    const last = bulk({ sent: 2, succeeded: 1, cursor: null })
    expect(progress(last, {}, NOW).status).toBe('running')
    const ended = progress(last, { outcomes: ['failed'] }, NOW)
    expect(ended).toMatchObject({ status: 'completed', finishedAt: NOW, succeeded: 1, failed: 1 })
    expect(progress(bulk(), { cursor: null }, NOW).status).toBe('completed')
  })

  it.each([
    [['failed', 'failed'], 2, 'running'],
    [['failed', 'failed', 'failed'], 3, 'stopped'],
    [['failed', 'failed', 'succeeded', 'failed'], 1, 'running'],
    [['failed', 'failed', 'failed', 'succeeded'], 3, 'stopped'],
  ] as const)('stops after three failures in a row: %j', (outcomes, row, status) => {
    const after = progress(bulk({ sent: 9, stopAfterFailures: 3 }), { outcomes }, NOW)
    expect(after).toMatchObject({ row, status })
    if (status === 'stopped') expect(after).toMatchObject({ reason: '3 failures in a row', finishedAt: NOW })
  })

  it('failures in a row are counted from step to step', () => {
    const once = progress(bulk({ sent: 9, stopAfterFailures: 3 }), { outcomes: ['failed', 'failed'] }, NOW)
    expect(progress(once, { outcomes: ['failed'] }, NOW).status).toBe('stopped')
  })

  it('what is paused or stopped is counted on and stays so', () => {
    const paused = bulk({ status: 'paused', sent: 1, cursor: null })
    expect(progress(paused, { outcomes: ['succeeded'] }, NOW)).toMatchObject({
      status: 'paused',
      succeeded: 1,
    })
  })
})

describe('what people ask', () => {
  it.each([
    ['running', 'paused', true],
    ['running', 'stopped', true],
    ['running', 'running', false],
    ['paused', 'running', true],
    ['paused', 'stopped', true],
    ['paused', 'paused', false],
    ['stopped', 'running', false],
    ['stopped', 'paused', false],
    ['completed', 'stopped', false],
  ] as const)('%s to %s: %s', (status, to, allowed) => {
    const turned = turn(bulk({ status }), to, 'because', NOW)
    expect(turned?.status).toBe(allowed ? to : undefined)
    if (to === 'stopped' && allowed) expect(turned).toMatchObject({ finishedAt: NOW, reason: 'because' })
  })

  it('resumed, it counts failures from the start and forgets why it was paused', () => {
    const resumed = turn(bulk({ status: 'paused', reason: 'lunch', row: 2 }), 'running', undefined, NOW)
    expect(resumed).toEqual(bulk())
  })

  it('resumed when all was heard of meanwhile, it has ended', () => {
    const resumed = turn(
      bulk({ status: 'paused', sent: 1, succeeded: 1, cursor: null }),
      'running',
      undefined,
      NOW,
    )
    expect(resumed).toMatchObject({ status: 'completed', finishedAt: NOW })
  })

  it('a cancellation keeps the reason its actions are told', () => {
    expect(turn(bulk({ kind: 'cancel', reason: 'over' }), 'paused', 'lunch', NOW)!.reason).toBe('over')
  })
})
