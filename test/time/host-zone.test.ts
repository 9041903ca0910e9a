import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const probe = fileURLToPath(new URL('./host-zone-probe.ts', import.meta.url))
const HOSTS = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']

it('F26: gives the same answers on a host in any zone', () => {
  const runs = HOSTS.map((host) => {
    const env = { ...process.env, TZ: host }
    return JSON.parse(execFileSync(process.execPath, [probe], { env, encoding: 'utf8', maxBuffer: 1e8 })) as {
      readonly host: string
      readonly answers: unknown
    }
  })
  expect(runs.map((run) => run.host.replace('Asia/Katmandu', 'Asia/Kathmandu'))).toEqual(HOSTS)
  for (const run of runs.slice(1)) expect(run.answers).toEqual(runs[0]!.answers)
})
