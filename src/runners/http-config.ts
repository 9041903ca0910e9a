// Owns the parts that the configs of webhook and api_call share: method, headers, payload, expected statuses, provider.
// Messages never quote a value: headers are a marked place, so a value may be a secret.

import { z } from 'zod'
import type { Json } from '../core/json.ts'
import { plain } from '../core/plain.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Written = Method | Lowercase<Method>

const isMethod = (value: unknown): value is Written =>
  typeof value === 'string' && METHODS.some((method) => method === value || method.toLowerCase() === value)

export const method = z
  .custom<Written>(isMethod, `expected ${METHODS.join(', ')}`)
  .transform((written) => written.toUpperCase() as Method)

export const provider = z.enum(['http', 'sandbox'], 'expected http or sandbox').optional()

/** none unless it is said how many; each hop is checked like the first. */
export const redirects = z
  .int('expected how many redirects are followed')
  .min(0, 'expected 0 or more')
  .max(5, 'expected at most 5')
  .default(0)

/** A status in it is a success, any other is an error. */
export const expectedStatusCodes = z
  .array(z.int().min(200, 'expected a status from 200 to 599').max(599, 'expected a status from 200 to 599'))
  .min(1, 'expected at least one status; without the key every 2xx is a success')
  .max(50, 'expected at most 50 statuses')
  .optional()

export const payload = z.custom<Json>((value) => plain(value).fits, 'expected JSON or text').optional()

/** A placeholder alone keeps the type of its value (F-022), so a count may stand in a header. */
const value = z
  .union([z.string(), z.number(), z.boolean()], 'expected text, a number or a boolean')
  .transform(String)

/** S21: a definition that could set them could make two effects look like one. */
const isOurs = (name: string): boolean =>
  name.toLowerCase() === 'idempotency-key' || name.toLowerCase().startsWith('webhook-')

export const headers = z
  .record(z.string(), value)
  .superRefine((given, context) => {
    for (const name of Object.keys(given).filter(isOurs))
      context.addIssue({ code: 'custom', path: [name], message: 'is written by Pawl and cannot be set' })
    const names = Object.keys(given).map((name) => name.toLowerCase())
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined)
      context.addIssue({ code: 'custom', path: [twice], message: 'is given twice, in two spellings' })
  })
  .optional()

interface WithBody {
  readonly method: Method
  readonly payload?: Json | undefined
}

/** RFC 9110 §9.3.1: what a GET carries has no meaning, and what stands between drops it. */
export const bodiless = (config: WithBody, context: z.core.$RefinementCtx): void => {
  if (config.payload !== undefined && (config.method === 'GET' || config.method === 'HEAD'))
    context.addIssue({
      code: 'custom',
      path: ['payload'],
      message: `a ${config.method} carries no payload: put it into the query, or use POST`,
    })
}
