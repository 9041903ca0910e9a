// Owns what the environment says about services and providers: `PAWL_SERVICES__CRM__BASE_URL`, `PAWL_PROVIDERS__SMTP__HOST`.
// Texts become what they mean here; whether a provider can work with them is the provider's to say.

import { PawlError } from '../core/errors.ts'
import type { Environment } from './environment.ts'

const SERVICE = /^PAWL_SERVICES__([A-Z0-9_]+?)__BASE_URL$/

/** `PAWL_SERVICES__CRM__BASE_URL=https://crm.example` is the service `crm`. */
export const servicesIn = (env: Environment): Readonly<Record<string, { readonly baseUrl: string }>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, baseUrl]) => {
      const service = SERVICE.exec(name)?.[1]
      return service === undefined || baseUrl === undefined ? [] : [[service.toLowerCase(), { baseUrl }]]
    }),
  )

/** `PAWL_PROVIDERS=sandbox`: what names no provider of its own sends nothing. */
export const defaultProviderIn = (env: Environment): 'sandbox' | undefined =>
  env['PAWL_PROVIDERS'] === 'sandbox' ? 'sandbox' : undefined

interface Mail {
  readonly smtp?: {
    readonly host: string
    readonly port?: number
    readonly secure?: boolean
    readonly user?: string
    readonly password?: string
    readonly from?: string
  }
  readonly sendgrid?: { readonly baseUrl?: string; readonly apiKey?: string; readonly from?: string }
}

/** The settings of one provider, without those that are not set. */
const settingsOf = <Name extends string>(
  env: Environment,
  provider: string,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const variable = `PAWL_PROVIDERS__${provider}__${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
      const value = env[variable]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>

const portOf = (text: string): number => {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new PawlError('invalid_option', `PAWL_PROVIDERS__SMTP__PORT is “${text.slice(0, 20)}”`, {
    path: 'PAWL_PROVIDERS__SMTP__PORT',
    expected: 'a port such as 587',
  })
}

export const mailProvidersIn = (env: Environment): Mail => {
  const { host, port, secure, ...smtp } = settingsOf(env, 'SMTP', [
    'host',
    'port',
    'secure',
    'user',
    'password',
    'from',
  ])
  const sendgrid = settingsOf(env, 'SENDGRID', ['baseUrl', 'apiKey', 'from'])
  return {
    ...(host !== undefined && {
      smtp: {
        ...smtp,
        host,
        ...(port !== undefined && { port: portOf(port) }),
        ...(secure !== undefined && { secure: secure === 'true' }),
      },
    }),
    ...(Object.keys(sendgrid).length > 0 && { sendgrid }),
  }
}
