import { describe, expect, it } from 'vitest'
import { checkConfig } from './config-file.ts'
import { flagOf, resolveSettings } from './resolve.ts'
import { SETTINGS, variableOf } from './settings.ts'

const file = checkConfig('/app/pawl.toml', { port: 1, log: { level: 'warn' }, drain: '5s' })
const resolved = (sources: Partial<Parameters<typeof resolveSettings>[0]>) =>
  resolveSettings({ flags: {}, env: {}, ...sources })

describe('who wins', () => {
  it.each([
    ['a flag over all', { flags: { port: '3' }, env: { PAWL_PORT: '2' }, file }, 3, '--port'],
    ['a variable over the file', { env: { PAWL_PORT: '2' }, file }, 2, 'PAWL_PORT'],
    ['the file over the preset', { file }, 1, '/app/pawl.toml'],
    ['the preset when nobody says', {}, 4400, 'default'],
    ['an empty variable says nothing', { env: { PAWL_PORT: '' } }, 4400, 'default'],
  ])('%s', (_, sources, value, source) => {
    expect(resolved(sources).get('port')).toEqual({ value, source })
  })

  it('a store is also what DATABASE_URL names, and PAWL_STORE wins over it', () => {
    const env = { DATABASE_URL: 'postgres://a' }
    expect(resolved({ env }).get('store')).toEqual({ value: 'postgres://a', source: 'DATABASE_URL' })
    expect(resolved({ env: { ...env, PAWL_STORE: 'sqlite:b' } }).get('store')?.value).toBe('sqlite:b')
  })

  it('what nobody says and has no preset is not there', () => {
    expect(resolved({}).has('store')).toBe(false)
  })

  it('texts become what they mean', () => {
    const env = { PAWL_MIGRATE: 'yes', PAWL_DRAIN: '2m', PAWL_EGRESS_ALLOW: 'a, b', PAWL_LOG_LEVEL: 'debug' }
    const settings = resolved({ env, file })
    expect(['migrate', 'drain', 'egress.allow', 'log.level'].map((key) => settings.get(key)?.value)).toEqual([
      true,
      120_000,
      ['a', 'b'],
      'debug',
    ])
  })
})

describe('what cannot be read is refused by its name', () => {
  it.each([
    [{ PAWL_PORT: 'smtp' }, 'PAWL_PORT', 'a whole number'],
    [{ PAWL_PORT: '-1' }, 'PAWL_PORT', 'a whole number'],
    [{ PAWL_MIGRATE: 'perhaps' }, 'PAWL_MIGRATE', 'true or false'],
    [{ PAWL_LOG_LEVEL: 'inof' }, 'PAWL_LOG_LEVEL', 'one of debug'],
  ])('%j', (env, path, expected) => {
    const refused = expect.objectContaining({
      code: 'settings_invalid',
      details: expect.objectContaining({ path, expected: expect.stringContaining(expected) }),
    })
    expect(() => resolved({ env })).toThrow(refused)
  })

  it('and the nearest word is told', () => {
    const told = expect.objectContaining({ details: expect.objectContaining({ suggestion: 'info' }) })
    expect(() => resolved({ env: { PAWL_LOG_LEVEL: 'inof' } })).toThrow(told)
  })

  it('a secret is not in the message', () => {
    expect(() => resolved({ flags: { token: 7 } })).toThrow(/^--token cannot be read$/)
  })
})

it('every setting has one variable and one flag of its own', () => {
  const names = SETTINGS.flatMap(({ key }) => [variableOf(key), flagOf(key)])
  expect(new Set(names).size).toBe(names.length)
  expect(variableOf('metrics.maxSeries')).toBe('PAWL_METRICS_MAX_SERIES')
  expect(flagOf('metrics.maxSeries')).toBe('--metrics-max-series')
})
