import { expect, it } from 'vitest'
import { defaultProviderIn, mailProvidersIn, servicesIn } from './providers.ts'

it('services are named by their variable', () => {
  const env = {
    PAWL_SERVICES__CRM__BASE_URL: 'https://crm.example',
    PAWL_SERVICES__OLD_ERP__BASE_URL: 'https://erp',
  }
  expect(servicesIn({ ...env, PATH: '/bin', PAWL_SERVICES__CRM__TOKEN: 'x' })).toEqual({
    crm: { baseUrl: 'https://crm.example' },
    old_erp: { baseUrl: 'https://erp' },
  })
})

it('PAWL_PROVIDERS makes the sandbox the default, and nothing else does', () => {
  expect(defaultProviderIn({ PAWL_PROVIDERS: 'sandbox' })).toBe('sandbox')
  expect(defaultProviderIn({ PAWL_PROVIDERS: 'smtp' })).toBeUndefined()
  expect(defaultProviderIn({})).toBeUndefined()
})

it('mail providers are there when something of them is set, with numbers as numbers', () => {
  expect(mailProvidersIn({})).toEqual({})
  expect(
    mailProvidersIn({
      PAWL_PROVIDERS__SMTP__HOST: 'mail.example',
      PAWL_PROVIDERS__SMTP__PORT: '587',
      PAWL_PROVIDERS__SMTP__SECURE: 'false',
      PAWL_PROVIDERS__SMTP__USER: '',
      PAWL_PROVIDERS__SENDGRID__API_KEY: 'SG.x',
      PAWL_PROVIDERS__SENDGRID__BASE_URL: 'https://api.example',
    }),
  ).toEqual({
    smtp: { host: 'mail.example', port: 587, secure: false },
    sendgrid: { apiKey: 'SG.x', baseUrl: 'https://api.example' },
  })
})

it('a port that is none is refused by the name of its variable', () => {
  expect(() =>
    mailProvidersIn({ PAWL_PROVIDERS__SMTP__HOST: 'm', PAWL_PROVIDERS__SMTP__PORT: 'smtp' }),
  ).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
