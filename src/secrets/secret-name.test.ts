import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertSecretName, sharedVariables, variableOf } from './secret-name.ts'

const refused = (name: string) => {
  try {
    assertSecretName(name)
  } catch (failure) {
    return failure as Error & { code: string; details: { suggestion?: string; expected: string } }
  }
  throw new Error(`${name} was taken`)
}

describe('names', () => {
  it.each(['a', 'crm_token', 'crm-token.v2', 'x9', `a${'b'.repeat(63)}`, 'profile', 'file'])(
    '%s is one',
    (name) => {
      expect(() => assertSecretName(name)).not.toThrow()
    },
  )

  it.each([
    ['MAIL_KEY', 'mail_key'],
    ['crmToken', 'crm_token'],
    ['crm token', 'crm_token'],
    ['2fa_key', 'fa_key'],
    ['_x', 'x'],
    ['../../etc/passwd', 'etc_passwd'],
    ['a\n', 'a'],
    [`a${'b'.repeat(64)}`, `a${'b'.repeat(63)}`],
    ['', undefined],
    ['ключ', undefined],
    ['__proto__', 'proto'],
  ])('%j is none; did you mean %j', (name, suggestion) => {
    const error = refused(name)
    expect(error.code).toBe('secret_invalid')
    expect(error.details.suggestion).toBe(suggestion)
    expect(error.details.expected).toContain('such as crm_token')
  })

  it('a long one is cut in the message', () => {
    expect(refused('X'.repeat(1000)).message).toBe(`"${'X'.repeat(80)}…" is no name for a secret`)
  })

  it('a suggestion is itself a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        const suggestion = (() => {
          try {
            assertSecretName(name)
          } catch (failure) {
            return (failure as { details: { suggestion?: string } }).details.suggestion
          }
          return undefined
        })()
        if (suggestion !== undefined) expect(suggestion).toMatch(/^[a-z][a-z0-9_.-]{0,63}$/)
      }),
    )
  })
})

describe('variables', () => {
  it.each([
    ['crm_token', 'PAWL_SECRET_CRM_TOKEN'],
    ['crm.token-2', 'PAWL_SECRET_CRM_TOKEN_2'],
  ])('%s is read from %s', (name, variable) => {
    expect(variableOf(name)).toBe(variable)
  })

  it('N1: a name never takes the variable that names a file or hosts', () => {
    for (const name of ['db_file', 'db.file', 'db-file', 'db_hosts', 'db.hosts']) {
      const error = refused(name)
      expect(error.message).toMatch(/PAWL_SECRET_DB_(?:FILE|HOSTS), which names/)
      expect(error.details.suggestion).toBe(name.replace(/file|hosts/, 'text'))
    }
  })

  it('names that share one are told', () => {
    const names = ['crm.token', 'mail_key', 'crm_token', 'crm-token', 'crm_token']
    expect(sharedVariables(names)).toEqual([
      { variable: 'PAWL_SECRET_CRM_TOKEN', names: ['crm-token', 'crm.token', 'crm_token'] },
    ])
    expect(sharedVariables(['a', 'b', 'a'])).toEqual([])
  })
})
