import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { webhookHeaders } from './signing.ts'

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)

it('H9: a thousand messages are signed as the public library signs them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
      secrets,
      fc.option(secrets, { nil: undefined }),
      (body, at, secret, previousSecret) => {
        const keys = { secret, ...(previousSecret !== undefined && { previousSecret }) }
        const headers = webhookHeaders({ id: 'key_1', at, body }, keys)
        const expected = [secret, previousSecret]
          .filter((each) => each !== undefined)
          .map((each) => new Webhook(each).sign('key_1', new Date(at), body))
        expect(headers['webhook-signature']).toBe(expected.join(' '))
        expect(headers['webhook-timestamp']).toBe(String(Math.floor(at / 1000)))
      },
    ),
    { numRuns: 1000 },
  )
})
