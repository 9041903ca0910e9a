// One attempt whose runner tells everything it knows, in every spelling: what is written down of it holds no secret. The
// same attempt, not cleaned, is seen to leak, so the sweep is known to look.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../src/core/json.ts'
import { render } from '../../src/core/template/render.ts'
import { perform } from '../../src/runners/perform.ts'
import { runner } from '../../src/runners/runner.ts'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import { attemptSecrets } from '../../src/secrets/attempt-secrets.ts'
import { createRedactor } from '../../src/secrets/redactor.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { ACME, KEY_A, memoryVault } from './bed.ts'
import { SPELLINGS } from './spellings.ts'
import { sweep } from './sweep.ts'

const CANARY = 'cAnArY/7f3c+9be0 "125a"'

const attempted = async (spelling: string, ending: 'returns' | 'throws') => {
  const vault = memoryVault()
  const secrets = createSecrets({ env: {}, keys: { key: KEY_A }, vault, now: () => 0 })
  await secrets.put(ACME, { name: 'crm_token', value: CANARY })
  const redactor = createRedactor()
  const logged: Json[] = []
  const mine = attemptSecrets({ resolver: secrets, redactor, of: ACME })
  const write = (message: string) => void logged.push(message)
  const ctx: RunnerContext = {
    fetch: () => Promise.reject(new Error('not used here')),
    signal: new AbortController().signal,
    attempt: 1,
    idempotencyKey: 'key_1',
    stepKey: 's',
    secret: mine.secret,
    log: { debug: write, info: write, warn: write, error: write },
    now: () => 0,
    timestamp: 0,
  }
  const gossip = runner({
    type: 'gossip',
    config: z.object({ token: z.string() }),
    execute: async ({ config, ctx: { log, secret } }) => {
      const told = SPELLINGS[spelling]!(config.token, 'user:', '@host')
      log.info(`sending ${told}`)
      if (ending === 'throws') throw new Error(`401 for ${told}`)
      return { told, same: (await secret('crm_token')) === config.token }
    },
  })
  const plan = render({ token: '{{secrets.crm_token}}' }, {})
  const config = await mine.fillConfig(plan.value, plan.secrets)
  const performance = await perform(gossip, { config, delivery: 'at_least_once', ctx })
  const told = JSON.parse(JSON.stringify({ performance, logged })) as Json
  const rows = (value: Json) => [
    { table: 'attempts', row: { value } },
    ...[...vault.rows.values()].map((row) => ({ table: 'secrets', row: { ...row } })),
    { table: 'actions', row: { plan } },
  ]
  return { performance, raw: rows(told), cleaned: rows(redactor.clean(told)) }
}

describe('S34, S43, S45: a runner that tells all it knows', () => {
  const cases = Object.keys(SPELLINGS).flatMap((name) => [
    [name, 'returns'] as const,
    [name, 'throws'] as const,
  ])
  it.each(cases)('%s, and %s', async (spelling, ending) => {
    const { performance, raw, cleaned } = await attempted(spelling, ending)
    expect(performance.outcome.kind).toBe(ending === 'returns' ? 'succeeded' : 'failed')
    expect(sweep(CANARY, { rows: raw })).toMatchObject([{ where: 'row attempts.value' }])
    expect(sweep(CANARY, { rows: cleaned })).toEqual([])
    expect(JSON.stringify(cleaned)).toContain('‹secret:crm_token›')
  })
})
