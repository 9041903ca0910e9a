// Owns the cursors of lists and of the feed: opaque text that says where a page ended, signed with a key of the store
// and bound to the query it was made for. A cursor that was changed, or carried to another query or tenant, is refused
// before it reaches a statement (S52).

import { createHmac, timingSafeEqual } from 'node:crypto'
import { PawlError } from '../core/errors.ts'
import { canonical, type Json } from '../core/json.ts'

export interface Cursors {
  /** `query` names everything that must be the same on the next page: the list, the tenant, the filter. */
  readonly sign: (query: Json, position: Json) => string
  readonly read: (query: Json, cursor: string) => Json
}

const MAX_LENGTH = 2048
/** 128 bits: as hard to guess as the key. */
const MAC_BYTES = 16

export const createCursors = (key: string): Cursors => {
  /** Over the text as it is sent, so that no other spelling of it passes. */
  const mac = (query: Json, body: string): string =>
    createHmac('sha256', key)
      .update(`${canonical(query)}\n${body}`)
      .digest()
      .subarray(0, MAC_BYTES)
      .toString('base64url')

  const sign = (query: Json, position: Json): string => {
    const body = Buffer.from(JSON.stringify(position)).toString('base64url')
    return `${body}.${mac(query, body)}`
  }
  const isSigned = (query: Json, body: string, signature: string): boolean => {
    const [given, expected] = [Buffer.from(signature), Buffer.from(mac(query, body))]
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const read = (query: Json, cursor: string): Json => {
    const [body = '', signature = '', ...more] = cursor.length > MAX_LENGTH ? [] : cursor.split('.')
    if (more.length > 0 || !isSigned(query, body, signature))
      throw new PawlError('invalid_cursor', `"${cursor.slice(0, 80)}" is no cursor of this query`, {
        path: 'after',
        expected: 'the cursor of the page before, with the same filter, or none',
      })
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Json
  }
  return { sign, read }
}
