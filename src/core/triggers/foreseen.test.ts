import { describe, expect, it } from 'vitest'
import { foreseen } from './foreseen.ts'
import { type RecurrenceSettings, ruleOfSettings } from './recurrence-data.ts'

const NOW = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

const hours = (settings: Partial<RecurrenceSettings>, from = NOW, through = NOW, fired = 0) => {
  const rule = ruleOfSettings({
    cron: '0 * * * *',
    timezone: 'UTC',
    do: { type: 'note', config: {} },
    ...settings,
  })
  const found: number[] = []
  for (const at of foreseen(rule, { through, fired }, from)) {
    if (found.push((at - NOW) / HOUR) === 4) break
  }
  return found
}

describe('what a recurrence will do', () => {
  it.each([
    ['begins behind what has its fate', {}, NOW, NOW + HOUR, 0, [2, 3, 4, 5]],
    ['begins where it is asked from', {}, NOW + 5 * HOUR, NOW, 0, [5, 6, 7, 8]],
    ['ends before its end', { endsAt: NOW + 3 * HOUR }, NOW, NOW, 0, [1, 2]],
    ['ends when it has fired so often', { maxExecutions: 5 }, NOW, NOW, 2, [1, 2, 3]],
    [
      'counts what comes before the page that is asked for',
      { maxExecutions: 5 },
      NOW + 3 * HOUR,
      NOW,
      1,
      [3, 4],
    ],
    ['has ended', { maxExecutions: 2 }, NOW, NOW, 2, []],
  ] as const)('%s', (_, settings, from, through, fired, expected) => {
    expect(hours(settings, from, through, fired)).toEqual(expected)
  })
})
