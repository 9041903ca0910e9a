// R-063 through a running server: a year of weekdays at nine in New York passes in a few requests.

import { describe, expect, it } from 'vitest'
import { useServed } from './bed.ts'

describe('a year of a recurring action', () => {
  const bed = useServed('SQLite', { clock: 'virtual:2026-01-01T00:00:00Z', work: false })

  it('fires exactly 261 times, each at 09:00 there', async () => {
    const ask = bed.served().ask
    const of = 'namespace=default&tenant=default'
    const made = await ask('POST', '/v1/recurring', {
      json: {
        namespace: 'default',
        tenant: 'default',
        cron_expr: '0 9 * * MON-FRI',
        timezone: 'America/New_York',
        provider: 'delay',
        action_type: 'digest',
        payload: {},
      },
    })
    expect(made.status).toBe(201)
    for (let month = 2; month <= 13; month++) {
      const advanceTo = new Date(Date.UTC(2026, month - 1, 1, 5)).toISOString()
      expect((await ask('POST', '/v1/clock', { json: { advanceTo } })).status).toBe(200)
    }
    const { json } = await ask('GET', `/v1/recurring/${made.json.recurring_id}?${of}`)
    expect(json).toMatchObject({ execution_count: 261, success_count: 261, failure_count: 0 })
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
    const instants: string[] = []
    for (let after = ''; ; ) {
      const page = await ask('GET', `/v1/recurring/${made.json.recurring_id}/history?limit=100&${of}${after}`)
      instants.push(...page.json.data.map(({ at }: { at: string }) => at))
      if (page.json.page.next === null || page.json.page.next === undefined) break
      after = `&after=${page.json.page.next}`
    }
    expect(instants).toHaveLength(261)
    expect(new Set(instants.map((at) => local.format(new Date(at))))).toEqual(new Set(['09:00']))
  })
})
