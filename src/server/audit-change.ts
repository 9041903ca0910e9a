// Owns what the audit keeps of a change: who, what, on which request, and of before and after only what differs. Large
// values are kept by their hash: an audit proves what happened, it is no second store.

import { createHash } from 'node:crypto'
import { canonical, isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Actor } from './actor.ts'
import type { Change } from './route.ts'

const MAX_BYTES = 4096

/** As JSON has it: what is undefined is not there. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

const bounded = (value: Json): Json => {
  const text = JSON.stringify(value)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_BYTES) return value
  return { bytes, sha256: createHash('sha256').update(text).digest('hex') }
}

const boundedMembers = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bounded(member as Json)]))
    : bounded(value)

/** The members of one that the other does not have the same. */
const differing = (value: Json, other: Json): Json => {
  if (!isObject(value) || !isObject(other)) return value
  const members = Object.entries(value as JsonObject).filter(([name, member]) => {
    const there = (other as JsonObject)[name]
    return there === undefined || canonical(there) !== canonical(member)
  })
  return Object.fromEntries(members)
}

export const auditData = (
  { subject, before, after }: Change,
  actor: Pick<Actor, 'id'>,
  requestId: string,
): JsonObject => {
  const [was, is] = [plain(before), plain(after)]
  return {
    actor: actor.id,
    subject,
    requestId,
    before: boundedMembers(differing(was, is)),
    after: boundedMembers(differing(is, was)),
  }
}
