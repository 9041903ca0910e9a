import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkConfig, findConfigFile, readConfigText } from './config-file.ts'
import { unknownVariables, withSections } from './variables.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const refused = (suggestion: string) =>
  expect.objectContaining({ code: 'settings_invalid', details: expect.objectContaining({ suggestion }) })

describe('the file of settings', () => {
  it('is found by its name; two of them are one too many', () => {
    expect(findConfigFile(folder)).toBeUndefined()
    const file = write('pawl.toml', '')
    expect(findConfigFile(folder)).toBe(file)
    write('pawl.json', '{}')
    expect(() => findConfigFile(folder)).toThrow('pawl.toml, pawl.json')
  })

  it('is TOML or JSON, with the same keys', () => {
    const toml = write(
      'pawl.toml',
      'store = "sqlite:a.db"\n[log]\nlevel = "warn"\n[services.crm]\nbaseUrl = "https://crm"',
    )
    const json = write(
      'pawl.json',
      '{"$schema":"x","store":"sqlite:a.db","log":{"level":"warn"},"services":{"crm":{"baseUrl":"https://crm"}}}',
    )
    for (const file of [toml, json]) {
      const { values, sections } = checkConfig(file, readConfigText(file))
      expect(Object.fromEntries(values)).toEqual({ store: 'sqlite:a.db', 'log.level': 'warn' })
      expect(sections).toEqual({ services: { crm: { baseUrl: 'https://crm' } } })
    }
  })

  it('R-020: [background] is read, and its interval by both of its names', () => {
    const file = write(
      'pawl.toml',
      '[background]\nenable_recurring_actions = true\nrecurring_check_interval = 7',
    )
    expect(Object.fromEntries(checkConfig(file, readConfigText(file)).values)).toEqual({
      'background.enable_recurring_actions': true,
      'background.recurring_check_interval_seconds': 7,
    })
  })

  it('an unknown key is an error with the nearest one', () => {
    expect(() => checkConfig('pawl.toml', { stroe: 'x' })).toThrow(refused('store'))
    expect(() => checkConfig('pawl.toml', { log: { levl: 'x' } })).toThrow(refused('log.level'))
    expect(() => checkConfig('pawl.toml', { zzzzzzzzzz: 1 })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ expected: '`pawl config print` lists them' }),
      }),
    )
  })

  it('only a program may hold runners', () => {
    expect(checkConfig('/a/pawl.config.ts', { runners: [], definitions: [] }).values.size).toBe(0)
    expect(() => checkConfig('/a/pawl.json', { runners: [] })).toThrow('runners')
  })

  it.each([
    ['pawl.toml', 'port = = 1', 'TOML'],
    ['pawl.json', '{', 'JSON'],
  ])('%s that cannot be read is refused in one line', (name, text, expected) => {
    const file = write(name, text)
    const told = expect.objectContaining({ details: expect.objectContaining({ expected }) })
    expect(() => readConfigText(file)).toThrow(told)
    expect(() => readConfigText(join(folder, 'none.toml'))).toThrow('cannot be read')
    expect(() => checkConfig(file, [])).toThrow('holds no settings')
  })
})

describe('variables', () => {
  it('one that begins like ours and is none is told, with the nearest', () => {
    expect(unknownVariables({ PAWL_PROT: '1', PATH: '' })).toEqual([
      'PAWL_PROT is not a variable of Pawl; did you mean PAWL_PORT?',
    ])
    expect(unknownVariables({ PAWL_QQQQQQQQQQQQQQQQQQQ: '' })).toEqual([
      'PAWL_QQQQQQQQQQQQQQQQQQQ is not a variable of Pawl',
    ])
  })

  it('those of secrets, services, providers and tests are ours', () => {
    const names = [
      'PAWL_SECRET_MAIL_KEY',
      'PAWL_SERVICES__CRM__BASE_URL',
      'PAWL_PROVIDERS__SMTP__HOST',
      'PAWL_PROVIDERS',
      'PAWL_TEST_POSTGRES',
    ]
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
  })

  it('services and providers of a file become variables, and those of the environment win', () => {
    const sections = {
      services: { crm: { baseUrl: 'https://a' } },
      providers: { smtp: { host: 'm', port: 25 } },
    }
    expect(withSections({ PAWL_PROVIDERS__SMTP__HOST: 'own' }, sections)).toEqual({
      PAWL_SERVICES__CRM__BASE_URL: 'https://a',
      PAWL_PROVIDERS__SMTP__HOST: 'own',
      PAWL_PROVIDERS__SMTP__PORT: '25',
    })
  })
})
