import { describe, expect, it } from 'vitest'
import { PawlError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { dataRecurrence, type RecurrenceSettings, ruleOfSettings, settingsOfData } from './recurrence-data.ts'

const DAILY: RecurrenceSettings = {
  cron: '0 9 * * *',
  timezone: 'America/New_York',
  do: { type: 'email', config: { to: 'team@example.com' }, priority: 70 },
}

describe('settings become a rule', () => {
  it('with every default', () => {
    expect(ruleOfSettings(DAILY)).toMatchObject({
      misfire: 'skip',
      overlap: 'allow',
      graceMs: 60_000,
      jitterMs: 0,
    })
    expect(ruleOfSettings(DAILY).schedule.dst).toEqual({ gap: 'shift', overlap: 'first' })
  })

  it('with all that can be said', () => {
    const rule = ruleOfSettings({
      ...DAILY,
      dst: { gap: 'skip', overlap: 'last' },
      misfire: 'latest',
      overlap: 'skip',
      grace: '5m',
      jitter: '30s',
      endsAt: '2027-01-01T00:00:00Z',
      maxExecutions: 3,
      pauseAfterFailures: 5,
    })
    const { schedule, ...rest } = rule
    expect(schedule.dst).toEqual({ gap: 'skip', overlap: 'last' })
    expect(rest).toEqual({
      misfire: 'latest',
      overlap: 'skip',
      graceMs: 300_000,
      jitterMs: 30_000,
      endsAt: Date.parse('2027-01-01T00:00:00Z'),
      maxExecutions: 3,
      pauseAfterFailures: 5,
    })
  })

  it.each<[string, Partial<RecurrenceSettings>, string]>([
    ['a zone that is none', { timezone: 'BST' }, 'invalid_zone'],
    ['a cron that is none', { cron: 'every now and then' }, 'invalid_cron'],
    ['R-041: a date no year has', { cron: '0 0 30 2 *' }, 'never_fires'],
    ['S33: more often than allowed', { cron: '@every 200ms' }, 'interval_too_short'],
    ['a policy that is none', { misfire: 'sometimes' as 'all' }, 'invalid_option'],
    ['no executions at all', { maxExecutions: 0 }, 'invalid_option'],
    ['half a failure', { pauseAfterFailures: 0.5 }, 'invalid_option'],
  ])('%s is refused', (_, wrong, code) => {
    const refusal = ((): unknown => {
      try {
        return ruleOfSettings({ ...DAILY, ...wrong })
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(PawlError)
    expect((refusal as PawlError).code).toBe(code)
  })
})

describe('the one definition of data', () => {
  const settings = DAILY as unknown as JsonObject
  it('reads a rule once, whatever is done at its occurrences', () => {
    const rule = dataRecurrence.ruleOf(settings)
    expect(
      dataRecurrence.ruleOf({ ...settings, description: 'another', do: { type: 'x', config: {} } }),
    ).toBe(rule)
    expect(dataRecurrence.ruleOf({ ...settings, cron: '1 9 * * *' })).not.toBe(rule)
  })

  it('remembers a bounded number of rules', () => {
    const rule = dataRecurrence.ruleOf(settings)
    for (let jitter = 1; jitter <= 10_000; jitter++) dataRecurrence.ruleOf({ ...settings, jitter })
    expect(dataRecurrence.ruleOf(settings)).not.toBe(rule)
  })

  it('asks for what its settings say', () => {
    const firing = { id: 'r', scheduledAt: 0, previousAt: null }
    expect(dataRecurrence.request(firing, settings)).toEqual({
      type: 'email',
      config: { to: 'team@example.com' },
      options: { priority: 70 },
    })
  })
})

describe('a definition becomes settings', () => {
  const { do: request, ...timing } = DAILY
  const data = { ...timing, kind: 'recurrence', id: 'digest', action: request } as const

  it('with the content it is of, and no word on whether it is on', () => {
    expect(settingsOfData(data, 'abc')).toEqual({
      settings: { ...DAILY, definition: 'abc' },
      enabled: undefined,
    })
  })

  it('catchUp is misfire in another word, dedupKey a key for a day', () => {
    const written = { ...data, enabled: false, action: { ...request, dedupKey: '{{recurring_id}}' } }
    expect(settingsOfData({ ...written, catchUp: 'none' }, 'abc')).toEqual({
      settings: {
        ...DAILY,
        misfire: 'skip',
        do: { ...request, dedup: { key: '{{recurring_id}}', for: '24h' } },
        definition: 'abc',
      },
      enabled: false,
    })
    expect(settingsOfData({ ...data, catchUp: 'all' }, 'a').settings.misfire).toBe('all')
    expect(settingsOfData({ ...data, misfire: 'latest' }, 'a').settings.misfire).toBe('latest')
  })
})
