// Owns how a call says who it is: the `authentication` of a config, and the header or query parameter it becomes. The
// token of oauth2 is had in tokens.ts. Every value here is a marked place: none is quoted, stored or shown.

import { z } from 'zod'
import { strictConfig } from '../strict-config.ts'

const text = z.string('expected text').min(1, 'expected text')
const word = text.regex(/^[\w.-]{1,128}$/, 'expected a name of letters, digits, _, . and -')

const oauth2 = strictConfig(
  {
    type: z.literal('oauth2'),
    tokenEndpoint: text,
    clientId: text,
    clientSecret: text,
    scope: text.optional(),
    audience: text.optional(),
    /** How the client names itself to the token endpoint; without it the header is tried first, then the form. */
    clientAuthentication: z.enum(['header', 'form'], 'expected header or form').optional(),
  },
  { tokenUrl: 'it is called tokenEndpoint', scopes: 'give scope: one text, its words parted by spaces' },
)

const apiKey = strictConfig({
  type: z.literal('api_key'),
  key: text,
  header: word.optional(),
  query: word.optional(),
}).refine(({ header, query }) => (header === undefined) !== (query === undefined), {
  path: ['header'],
  message: 'expected the name of a header, or of a query parameter: one of the two',
})

const basic = strictConfig({
  type: z.literal('basic'),
  username: z.string('expected text').regex(/^[^:]*$/, 'expected a name without a colon'),
  password: z.string('expected text'),
})

export const authentication = z
  .discriminatedUnion(
    'type',
    [
      strictConfig({ type: z.literal('none') }),
      strictConfig({ type: z.literal('bearer'), token: text }),
      basic,
      apiKey,
      oauth2,
    ],
    'expected a type: none, bearer, basic, api_key or oauth2',
  )
  .default({ type: 'none' })

export type Authentication = z.output<typeof authentication>
export type ClientCredentials = z.output<typeof oauth2>

/** What is added to a request. */
export interface Credentials {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export const bearer = (token: string): Credentials => ({ headers: { authorization: `Bearer ${token}` } })

export const basicHeader = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export const credentialsOf = (given: Exclude<Authentication, ClientCredentials>): Credentials => {
  if (given.type === 'bearer') return bearer(given.token)
  if (given.type === 'basic')
    return { headers: { authorization: basicHeader(given.username, given.password) } }
  if (given.type === 'none') return {}
  const { header, query, key } = given
  return header === undefined ? { query: { [query!]: key } } : { headers: { [header]: key } }
}

/** The header that it writes, which the config must not write too. */
export const headerOf = (given: Authentication): string | undefined => {
  if (given.type === 'api_key') return given.header?.toLowerCase()
  return given.type === 'none' ? undefined : 'authorization'
}
