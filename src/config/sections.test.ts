import { expect, it } from 'vitest'
import { checkConfig } from './config-file.ts'
import { resolveSections } from './sections.ts'
import { unknownVariables } from './variables.ts'

const file = checkConfig('/app/pawl.toml', {
  limits: { email: { rate: '10/s', concurrency: 5 }, '*': { breaker: true } },
  alerts: [{ type: 'webhook', url: 'https://hooks.example/canary' }],
})

it('a variable wins over the file, for the one value it names; each says who said it', () => {
  const env = {
    PAWL_LIMITS__EMAIL__RATE: '20/s',
    PAWL_LIMITS__API_CALL__ON_FULL: 'drop',
    PAWL_LIMITS__ALL__BREAKER__FAILURES: '5',
    PAWL_LIMITS__SMS__BULKHEAD: '',
  }
  const { limits, said } = resolveSections(env, file)
  expect(limits).toEqual({
    email: { rate: '20/s', concurrency: 5 },
    '*': { breaker: { failures: 5 } },
    api_call: { onFull: 'drop' },
  })
  expect(said.get('limits.email.rate')).toEqual({ value: '20/s', source: 'PAWL_LIMITS__EMAIL__RATE' })
  expect(said.get('limits.email.concurrency')).toEqual({ value: 5, source: '/app/pawl.toml' })
  expect(unknownVariables(env)).toEqual([])
  expect(unknownVariables({ PAWL_LIMITS_EMAIL_RATE: '1/s' })).toHaveLength(1)
})

it('alerts are of the file or of a variable in JSON, and are shown by what kind they are of', () => {
  expect(resolveSections({}, file)).toMatchObject({ alerts: [{ type: 'webhook' }] })
  const { alerts, said } = resolveSections(
    { PAWL_ALERTS: '{"channels":[{"type":"email"}],"window":"2h"}' },
    file,
  )
  expect(alerts).toEqual({ channels: [{ type: 'email' }], window: '2h' })
  expect(said.get('alerts')).toEqual({ value: ['email'], source: 'PAWL_ALERTS' })
  expect(JSON.stringify([...resolveSections({}, file).said])).not.toContain('canary')
  expect(() => resolveSections({ PAWL_ALERTS: 'webhook' })).toThrow('PAWL_ALERTS is no JSON')
})

it('without either there is nothing', () => {
  expect(resolveSections({})).toEqual({ limits: {}, alerts: undefined, said: new Map() })
})
