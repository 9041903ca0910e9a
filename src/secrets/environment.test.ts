import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../../test/secrets/bed.ts'
import { hostsIn, namesIn, readFromEnvironment } from './environment.ts'

describe('F-023: a secret of the environment', () => {
  it('is a variable', async () => {
    const env = { PAWL_SECRET_CRM_TOKEN: ' value\n' }
    for (const name of ['crm_token', 'crm-token', 'crm.token'])
      expect(await readFromEnvironment(env, name)).toEqual({
        name,
        value: ' value\n',
        from: 'environment',
        version: '1',
      })
  })

  it('or the path of a file', async () => {
    const path = join(folder(), 'any')
    writeFileSync(path, 'value\n')
    expect(await readFromEnvironment({ PAWL_SECRET_CRM_TOKEN_FILE: path }, 'crm_token')).toMatchObject({
      value: 'value',
      from: 'file',
    })
  })

  it.each([
    {},
    { PAWL_SECRET_CRM_TOKEN: '' },
    { PAWL_SECRET_CRM_TOKEN: undefined },
    { PAWL_SECRET_CRM_TOKEN_FILE: '' },
    { CRM_TOKEN: 'x', PAWL_SECRET_CRM: 'x', pawl_secret_crm_token: 'x' },
    Object.create({ PAWL_SECRET_CRM_TOKEN: 'inherited' }) as Record<string, string>,
  ])('%j has none', async (env) => {
    expect(await readFromEnvironment(env, 'crm_token')).toBeUndefined()
  })

  it('is not set twice, and not by a file that is not there', async () => {
    const env = { PAWL_SECRET_A: 'x', PAWL_SECRET_A_FILE: '/x' }
    await expect(readFromEnvironment(env, 'a')).rejects.toThrow('by PAWL_SECRET_A and PAWL_SECRET_A_FILE')
    const gone = { PAWL_SECRET_A_FILE: join(folder(), 'gone') }
    await expect(readFromEnvironment(gone, 'a')).rejects.toThrow('ENOENT')
  })

  it('names are guessed from variables', () => {
    const env = { PAWL_SECRET_CRM_TOKEN: 'x', PAWL_SECRET_MAIL_FILE: '/x', PAWL_SECRETS_KEY: 'x', HOME: '/' }
    expect(namesIn({ ...env, PAWL_SECRET_CRM_TOKEN_HOSTS: 'a.example' })).toEqual(['crm_token', 'mail'])
  })

  it('S20: may be bound to hosts', () => {
    const env = { PAWL_SECRET_A_HOSTS: 'API.example.com, *.example.org:8443', PAWL_SECRET_B_HOSTS: '' }
    expect(hostsIn(env, 'a')).toEqual(['api.example.com', '*.example.org:8443'])
    expect([hostsIn(env, 'b'), hostsIn(env, 'c')]).toEqual([undefined, undefined])
    for (const text of ['https://x', 'a b', ',', '*'])
      expect(() => hostsIn({ PAWL_SECRET_A_HOSTS: text }, 'a'), text).toThrow(
        expect.objectContaining({ code: 'secret_invalid' }),
      )
  })
})
