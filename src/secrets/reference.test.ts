import { describe, expect, it } from 'vitest'
import { plain } from '../core/plain.ts'
import { fillSecrets } from '../core/template/secrets.ts'
import { allowsSecret, liftReferences, secret } from './reference.ts'

const MARKS = ['/headers/*', '/auth/clientSecret', '/a~1b']
const refused = (message: string) => expect.objectContaining({ code: 'secret_not_allowed_here', message })

describe('secret(name)', () => {
  it('is JSON that names it', () => {
    expect(JSON.stringify({ k: secret('crm_token') })).toBe('{"k":{"$secret":"crm_token"}}')
    expect(JSON.stringify(secret('a', { before: 'Bearer ' }))).toBe('{"$secret":"a","before":"Bearer "}')
    expect(plain({ k: secret('a') })).toMatchObject({ fits: true })
  })

  it('checks its name where it is written', () => {
    expect(() => secret('CRM')).toThrow(expect.objectContaining({ code: 'secret_invalid' }))
  })

  it('does not become text by accident', () => {
    const made = secret('crm_token')
    const message = 'the secret crm_token cannot become part of a text here'
    expect(() => `Bearer ${made}`).toThrow(refused(message))
    expect(() => String(made)).toThrow(refused(message))
  })
})

describe('lifting references out of a config', () => {
  it('gives what a rendered template gives', () => {
    const config = {
      url: 'https://crm.example',
      headers: { authorization: secret('crm_token', { before: 'Bearer {{x}} ' }), 'x/y~z': secret('b') },
      auth: { clientSecret: secret('crm_token') },
      'a/b': secret('c'),
      list: [1, null, { $secret: 'x' }],
    }
    const lifted = liftReferences(config, MARKS)
    expect(lifted.value).toEqual({
      url: 'https://crm.example',
      headers: { authorization: 'Bearer {{x}} {{secrets.crm_token}}', 'x/y~z': '{{secrets.b}}' },
      auth: { clientSecret: '{{secrets.crm_token}}' },
      'a/b': '{{secrets.c}}',
      list: [1, null, { $secret: 'x' }],
    })
    expect(lifted.secrets.map(({ pointer }) => pointer)).toEqual([
      '/headers/authorization',
      '/headers/x~1y~0z',
      '/auth/clientSecret',
      '/a~1b',
    ])
    expect(fillSecrets(lifted, (name) => `<${name}>`)).toMatchObject({
      headers: { authorization: 'Bearer {{x}} <crm_token>', 'x/y~z': '<b>' },
      auth: { clientSecret: '<crm_token>' },
      'a/b': '<c>',
    })
  })

  it('S26: what only looks like one is data', () => {
    const theirs = JSON.parse(JSON.stringify({ headers: { x: secret('crm_token') } })) as unknown
    expect(liftReferences(theirs, MARKS)).toEqual({ value: theirs, secrets: [] })
    expect(liftReferences({ headers: { x: '{{secrets.a}}' } }, MARKS).secrets).toEqual([])
  })

  it('S27: refuses one where it would be shown', () => {
    for (const [config, pointer] of [
      [{ subject: secret('a') }, '/subject'],
      [{ headers: secret('a') }, '/headers'],
      [{ headers: { x: [secret('a')] } }, '/headers/x/0'],
      [secret('a'), ''],
    ] as const)
      expect(() => liftReferences(config, MARKS)).toThrow(
        refused(`the secret a would be shown at "${pointer}"`),
      )
    expect(() => liftReferences({ x: secret('a') }, [])).toThrow(
      expect.objectContaining({ details: { path: '/x', expected: 'no secret in this config' } }),
    )
  })

  it('is as plain() makes it otherwise', () => {
    const config = { a: undefined, b: [undefined, 1, { c: undefined }], d: null, e: true }
    const kept = plain(config)
    expect(liftReferences(config, [])).toEqual({ value: kept.fits && kept.value, secrets: [] })
    expect(JSON.stringify(liftReferences(config, []).value)).toBe('{"b":[null,1,{}],"d":null,"e":true}')
  })

  it('keeps a __proto__ key a key', () => {
    const { value } = liftReferences(JSON.parse('{"__proto__":{"x":1}}'), [])
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}')
  })
})

describe('marks', () => {
  it.each([
    ['/headers/authorization', true],
    ['/headers/*', true],
    ['/headers', false],
    ['/headers/a/b', false],
    ['/auth/clientSecret', true],
    ['/auth/clientId', false],
    ['', false],
  ])('%s: %s', (pointer, allowed) => {
    expect(allowsSecret(MARKS, pointer)).toBe(allowed)
  })
})
