import { describe, expect, it } from 'vitest'
import { ACME } from '../../test/secrets/bed.ts'
import { classify } from '../core/classify.ts'
import type { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { render } from '../core/template/render.ts'
import { attemptSecrets } from './attempt-secrets.ts'
import { createRedactor } from './redactor.ts'
import type { Secret, SecretResolver } from './secret.ts'

const setup = (values: Record<string, string | Pick<Secret, 'value' | 'hosts'>>) => {
  const redactor = createRedactor({ values: 0, characters: 0 })
  let asked = 0
  const resolver: SecretResolver = {
    resolve: async (of, name) => {
      expect(of).toEqual(ACME)
      asked++
      const found = values[name]
      if (found === undefined) return undefined
      return { name, from: 'store', version: '1', ...(typeof found === 'string' ? { value: found } : found) }
    },
    names: async () => Object.keys(values),
  }
  const attempt = attemptSecrets({ resolver, redactor, of: ACME })
  const fill = (template: Json, scope: Parameters<typeof render>[1] = {}) => {
    const { value, secrets } = render(template, scope)
    return attempt.fillConfig(value, secrets)
  }
  return { attempt, redactor, fill, resolver, asked: () => asked, values }
}
const caught = async (work: Promise<unknown>): Promise<PawlError> => {
  try {
    await work
  } catch (failure) {
    return failure as PawlError
  }
  throw new Error('nothing was refused')
}

describe('F-015, F-020, F-023: filling a config', () => {
  it('puts each secret where its reference stood', async () => {
    const { fill, asked } = setup({ crm_token: 'canary-1', client_id: 'canary-2' })
    const config = {
      headers: { authorization: 'Bearer {{secrets.crm_token}}' },
      id: '{{secrets.client_id}}',
      again: ['{{secrets.crm_token}}'],
    }
    expect(await fill(config)).toEqual({
      headers: { authorization: 'Bearer canary-1' },
      id: 'canary-2',
      again: ['canary-1'],
    })
    expect(asked()).toBe(2)
  })

  it('S26: a variable that looks like a reference gets nothing', async () => {
    const { fill, asked } = setup({ crm_token: 'canary-1' })
    expect(await fill({ text: '{{v}}' }, { v: '{{secrets.crm_token}}' })).toEqual({
      text: '{{secrets.crm_token}}',
    })
    expect(asked()).toBe(0)
  })

  it('one that is missing fails the attempt: to be retried, nothing sent, the nearest name told', async () => {
    const { fill } = setup({ crm_token: 'canary-1' })
    const error = await caught(fill('{{secrets.crm_tokn}} {{secrets.crm_token}}'))
    expect(error).toMatchObject({
      code: 'secret_not_found',
      message: 'there is no secret crm_tokn',
      details: {
        expected: 'PAWL_SECRET_CRM_TOKN in the environment, a file crm_tokn, or a stored secret of that name',
        suggestion: 'crm_token',
      },
    })
    expect(classify(error, 0)).toMatchObject({ error: { retryable: true }, effect: 'none' })
  })

  it('also when the names cannot be told', async () => {
    const { resolver, redactor } = setup({})
    const quiet = { resolve: resolver.resolve }
    const down = { ...quiet, names: async () => Promise.reject(new Error('down')) }
    for (const each of [quiet, down]) {
      const attempt = attemptSecrets({ resolver: each, redactor, of: ACME })
      expect(await caught(attempt.secret('a'))).toMatchObject({ code: 'secret_not_found' })
    }
  })

  it('S34: an error that comes later is cleaned', async () => {
    const { attempt, redactor } = setup({ cron: 'canary * * * bad' })
    const value = await attempt.secret('cron')
    expect(redactor.clean(`"${value}" is no cron expression`)).toBe('"‹secret:cron›" is no cron expression')
    attempt.release()
    expect(redactor.clean(value)).toBe(value)
  })
})

describe('ctx.secret', () => {
  it('S46: an attempt sees one value, the next one the new', async () => {
    const { attempt, values, resolver, redactor, asked } = setup({ a: 'canary-1' })
    expect(await attempt.secret('a')).toBe('canary-1')
    values['a'] = 'canary-2'
    expect(await Promise.all([attempt.secret('a'), attempt.secret('a')])).toEqual(['canary-1', 'canary-1'])
    expect(asked()).toBe(1)
    expect(await attemptSecrets({ resolver, redactor, of: ACME }).secret('a')).toBe('canary-2')
  })

  it('a bad name is refused unasked', async () => {
    const { attempt, asked } = setup({})
    expect(await caught(attempt.secret('MAIL_KEY'))).toMatchObject({ code: 'secret_invalid' })
    expect(asked()).toBe(0)
  })
})

describe('S20: where a request goes', () => {
  const bound = { value: 'canary-value', hosts: ['api.example.com'] }
  const mismatch = expect.objectContaining({ code: 'secret_destination_mismatch' })

  it('one that carries a bound secret goes to its hosts, in any encoding', async () => {
    const { attempt } = setup({ a: bound })
    await attempt.secret('a')
    const basic = `Basic ${Buffer.from('user:canary-value').toString('base64')}`
    for (const part of [
      'https://x/?k=canary-value',
      basic,
      Buffer.from('{"k":"canary-value"}'),
      'canary%2dvalue',
    ]) {
      expect(() => attempt.assertDestination('evil.com', ['GET', part])).toThrow(mismatch)
      expect(() => attempt.assertDestination('api.example.com', ['GET', part])).not.toThrow()
    }
  })

  it('F-015: another request of the same attempt, without it, goes where it likes', async () => {
    const { attempt } = setup({ client_secret: bound, free: 'free-value' })
    await attempt.fillConfig('{{secrets.free}}', [{ pointer: '', start: 0, end: 16, name: 'free' }])
    await attempt.secret('client_secret')
    expect(() =>
      attempt.assertDestination('crm.example', ['Bearer token-from-answer', 'free-value']),
    ).not.toThrow()
  })

  it('one too short to be searched counts as sent', async () => {
    const { attempt } = setup({ pin: { value: '1234', hosts: ['api.example.com'] } })
    expect(() => attempt.assertDestination('evil.com', ['x'])).not.toThrow()
    await attempt.secret('pin')
    expect(() => attempt.assertDestination('evil.com', ['x'])).toThrow(mismatch)
    expect(() => attempt.assertDestination('api.example.com', [])).not.toThrow()
  })
})
