// Owns the routes of keys and of the audit. A token is in one answer, the one that makes it, and in nothing that is kept.
// A key manages those of its own tenant; the operator's key, which is the first, those of all.

import { PawlError } from '../../core/errors.ts'
import type { Chained } from '../../core/history.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { list as listShape, name, object, textOrNumber, word } from '../../definitions/shape/values.ts'
import { SCOPES } from '../../store/keys.ts'
import { tenancyOf } from '../actor.ts'
import {
  createFirstKey,
  createKey,
  type MadeKey,
  type NewKey,
  type ShownKey,
  shownKey,
} from '../create-key.ts'
import { asked, pageQuery } from '../inputs.ts'
import { instant, instantAs } from '../instant.ts'
import { type Call, listOf, ok, type Route, route } from '../route.ts'
import { auditEntry, key, pageOf } from '../shapes.ts'

const shown = ({ id, name, prefix, namespace, tenant, scopes, isOperator, ...row }: ShownKey) => ({
  id,
  name,
  prefix,
  namespace,
  tenant,
  scopes,
  operator: isOperator,
  createdAt: instant(row.createdAt),
  ...instantAs('expiresAt', row.expiresAt),
  ...instantAs('revokedAt', row.revokedAt),
})

const unknown = (id: string): PawlError =>
  new PawlError('key_not_found', `there is no key “${id.slice(0, 80)}”`, { path: 'key' })

/** In local mode there is no key yet: this one ends it, so it must be able to make others. */
const make = async ({ house, actor }: Pick<Call, 'house' | 'actor'>, wanted: NewKey): Promise<MadeKey> => {
  const { keys } = house.office
  if (!actor.isLocal) return createKey(keys, wanted)
  if (!wanted.scopes.includes('admin'))
    throw new PawlError('invalid_option', 'the first key of a store must be able to make others', {
      path: 'scopes',
      expected: 'admin among them',
    })
  return (await createFirstKey(keys, wanted)) ?? createKey(keys, wanted)
}

const TENANCY = 'letters, digits, dots, dashes and underscores'
const tenancyName = (what: string) =>
  name(what)
    .max(100, { error: TENANCY })
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { error: TENANCY })

const create = route({
  method: 'POST',
  path: '/v1/keys',
  operation: 'createKey',
  summary: 'Makes a key; its token is in this answer and nowhere else',
  policy: { scope: 'admin', spansTenants: true },
  body: object('a key', {
    name: name('a name').describe('For people.'),
    namespace: tenancyName('a namespace').describe('Default: that of the key that asks.').exactOptional(),
    tenant: tenancyName('a tenant').describe('Default: that of the key that asks.').exactOptional(),
    scopes: listShape(word(SCOPES), 'a list of scopes')
      .min(1, { error: 'at least one scope' })
      .describe('What it may do.'),
    expiresAt: textOrNumber('an instant such as 2027-01-01T00:00:00Z')
      .describe('Default: never.')
      .exactOptional(),
  }),
  answers: { 201: key },
  serve: async (call) => {
    const { body, actor, of, house, changed } = call
    const { namespace = of.namespace, tenant = of.tenant } = body
    const owner = tenancyOf(actor, { namespace, tenant }, true)
    const expiresAt = body.expiresAt === undefined ? undefined : parseInstant(body.expiresAt)
    const scopes = [...new Set(body.scopes)]
    const wanted = { ...owner, name: body.name, scopes, ...(expiresAt !== undefined && { expiresAt }) }
    const made = await make(call, wanted)
    house.keyMade()
    const view = shown(made.key)
    await changed({ type: 'key.created', subject: made.key.id, after: view })
    return { status: 201, body: { ...view, token: made.token }, kept: view }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/keys',
  operation: 'listKeys',
  summary: 'The keys of a tenant, without their tokens',
  policy: { scope: 'admin', spansTenants: true },
  answers: { 200: pageOf(key) },
  serve: async ({ house, of }) =>
    listOf({ data: await house.office.keys.list(of) }, (row) => shown(shownKey(row))),
})

const get = route({
  method: 'GET',
  path: '/v1/keys/{id}',
  operation: 'getKey',
  summary: 'One key, without its token',
  policy: { scope: 'admin', spansTenants: true },
  answers: { 200: key },
  serve: async ({ house, of, params }) => {
    const found = await house.office.keys.get(of, params['id']!)
    if (found === undefined) throw unknown(params['id']!)
    return ok(shown(shownKey(found)))
  },
})

const revoke = route({
  method: 'DELETE',
  path: '/v1/keys/{id}',
  operation: 'revokeKey',
  summary: 'Revokes a key at once',
  policy: { scope: 'admin', spansTenants: true },
  answers: { 204: 'nothing' },
  serve: async ({ house, of, params, changed }) => {
    const id = params['id']!
    const { keys } = house.office
    const before = await keys.get(of, id)
    if (before === undefined || !(await keys.revoke(of, id, house.now()))) throw unknown(id)
    const after = await keys.get(of, id)
    await changed({
      type: 'key.revoked',
      subject: id,
      before: shown(shownKey(before)),
      after: after && shown(shownKey(after)),
    })
    return { status: 204 }
  },
})

const entryView = ({ number, type, at, data, hash, prevHash }: Chained) => ({
  seq: number,
  type,
  at: instant(at),
  ...(data as JsonObject),
  hash,
  prevHash,
})

const audit = route({
  method: 'GET',
  path: '/v1/audit',
  operation: 'listAudit',
  summary: 'What was changed through this API, newest first, each entry chained to the one before it',
  policy: { scope: 'admin' },
  query: pageQuery,
  answers: { 200: pageOf(auditEntry) },
  serve: async ({ house, of, query }) => {
    const { limit = 50, after } = query
    const page = await house.office.audit.list(of, { limit, ...asked({ after }) })
    return listOf(page, entryView)
  },
})

export const keyRoutes: readonly Route[] = [create, list, get, revoke, audit]
