// Owns the shapes that several routes read: pages, filters, reasons.

import { z } from 'zod'
import { json, object, text } from '../definitions/shape/values.ts'

const LIMIT = 'a whole number from 1 to 250'

/** Digits only: what a URL has is text. */
const limit = z
  .string()
  .regex(/^\d{1,3}$/, { error: LIMIT })
  .transform(Number)
  .pipe(z.number().min(1, { error: LIMIT }).max(250, { error: LIMIT }))
  .describe('How many at once, 1 to 250. Default 50.')
  .optional()

const after = text('the cursor of the page before')
  .max(2048, { error: 'a cursor' })
  .describe('page.next of the page before.')
  .optional()

export const filter = text('a filter such as status:dead type:email')
  .describe('Terms field:value, with spaces between them.')
  .optional()

export const page = { limit, after }

export const pageQuery = object('the query of a list', page)
export const listQuery = object('the query of a list', { ...page, filter })

export const reasonBody = object('an object', {
  reason: text('text')
    .max(500, { error: 'at most 500 characters' })
    .describe('Why, for people.')
    .exactOptional(),
})

export const anyObject = z.record(z.string(), json('a value'), { error: 'an object' })
export const window = text('a duration such as 24h')
  .describe('How far back, such as 24h. At most 90d.')
  .optional()

/** The page that a query asks for. */
export const asked = ({
  limit: size,
  after: cursor,
}: {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}) => ({
  ...(size !== undefined && { limit: size }),
  ...(cursor !== undefined && { after: cursor }),
})
