// F26: the rules of a time zone change between two lives of a store. The zone table is injected: in the first life Warsaw
// has no summer time, in the second it has its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'

const START = '2026-07-01T00:00:00.000Z'
const folder = mkdtempSync(join(tmpdir(), 'pawl-zones-'))

afterEach(() => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
})

/** A process of its own, with these rules: nothing that was computed before is remembered. */
const live = async (zoneRules: string) => {
  vi.resetModules()
  const { openWith } = await import('../../src/pawl/open.ts')
  const lines: string[] = []
  const pawl = await openWith(
    {
      store: `sqlite:${join(folder, 'pawl.db')}`,
      clock: `virtual:${START}`,
      secrets: { env: {} },
      log: (_level, _message, fields) => void lines.push(`${fields['event']} ${fields['recurring_id']}`),
    },
    { zoneRules },
  )
  return { pawl, lines }
}

const real = Intl

const withoutSummer: typeof Intl = Object.create(real, {
  DateTimeFormat: {
    value: new Proxy(real.DateTimeFormat, {
      construct: (format, [locale, options]: [string, Intl.DateTimeFormatOptions]) => {
        const isWarsaw = options.timeZone === 'Europe/Warsaw'
        return new format(locale, isWarsaw ? { ...options, timeZone: 'Etc/GMT-1' } : options)
      },
    }),
  },
})

it('what was planned by the old rules is planned anew, once, and its history says so', async () => {
  vi.stubGlobal('Intl', withoutSummer)
  const before = await live('2025a')
  const noon = { cron: '0 12 * * *', do: { type: 'note', config: {} } }
  await before.pawl.recurring.create({ id: 'warsaw', timezone: 'Europe/Warsaw', ...noon })
  await before.pawl.recurring.create({ id: 'utc', timezone: 'UTC', ...noon })
  expect(await before.pawl.recurring.get('warsaw')).toMatchObject({ nextAt: '2026-07-01T11:00:00.000Z' })
  await before.pawl.close()

  vi.stubGlobal('Intl', real)
  const after = await live('2026a')
  expect(await after.pawl.recurring.get('warsaw')).toMatchObject({ nextAt: '2026-07-01T10:00:00.000Z' })
  expect(after.lines.filter((line) => line.startsWith('recurring.'))).toEqual(['recurring.replan warsaw'])
  const { data } = await after.pawl.executions.history('warsaw')
  expect(data.map(({ type }) => type)).toEqual(['recurrence.started', 'recurrence.planned'])
  expect((await after.pawl.executions.history('utc')).data).toHaveLength(1)
  expect((await after.pawl.verify()).findings).toEqual([])
  await after.pawl.close()

  const again = await live('2026a')
  expect(again.lines.filter((line) => line.startsWith('recurring.'))).toEqual([])
  await again.pawl.close()
})
