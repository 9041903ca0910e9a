// F26, B8: the zone of the machine is never read. The same sample gives the same firings wherever the host says it is.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const HOSTS = { UTC: 0, 'America/New_York': 240, 'Asia/Kathmandu': -345, 'Australia/Lord_Howe': -630 }
const child = fileURLToPath(new URL('cron-host.ts', import.meta.url))

const runUnder = (zone: string) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child], {
    encoding: 'utf8',
    env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
  })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  return JSON.parse(stdout)
}

it('B8: four hosts in four zones agree with the oracle and with one another', () => {
  const answers = Object.keys(HOSTS).map(runUnder)
  expect(answers.map((answer) => answer.hostOffset)).toEqual(Object.values(HOSTS))
  expect(new Set(answers.map((answer) => answer.digest)).size).toBe(1)
  for (const { comparisons, differences } of answers) {
    expect(comparisons).toBeGreaterThan(1000)
    expect(differences).toBe(0)
  }
})
