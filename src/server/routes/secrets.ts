// Owns the routes of secrets: set, listed, removed. No route shows a value (S42), and no message repeats one (S34).

import { PawlError } from '../../core/errors.ts'
import { list as listShape, object, text } from '../../definitions/shape/values.ts'
import type { StoredSecret } from '../../secrets/secrets.ts'
import { instant } from '../instant.ts'
import { listOf, ok, type Route, route } from '../route.ts'
import { pageOf, secret } from '../shapes.ts'

const shown = ({ name, version, fingerprint, hosts, createdAt, updatedAt, shadowedBy }: StoredSecret) => ({
  name,
  version,
  fingerprint,
  hosts,
  createdAt: instant(createdAt),
  updatedAt: instant(updatedAt),
  ...(shadowedBy !== undefined && { shadowedBy }),
})

const unknown = (name: string): PawlError =>
  new PawlError('secret_unknown', `there is no secret “${name.slice(0, 80)}”`, { path: 'name' })

const put = route({
  method: 'PUT',
  path: '/v1/secrets/{name}',
  operation: 'putSecret',
  summary: 'Sets a secret, sealed before it is stored',
  policy: { scope: 'admin' },
  isPrivate: true,
  body: object('a secret', {
    value: text('text').describe('Never shown again.'),
    hosts: listShape(text('a host'), 'a list of hosts')
      .describe('The only hosts it may be sent to. Empty: every one.')
      .exactOptional(),
  }),
  answers: { 204: 'nothing' },
  serve: async ({ pawl, params, body: { value, hosts }, changed }) => {
    const name = params['name']!
    const before = (await pawl.secrets.list()).find((each) => each.name === name)
    const after = await pawl.secrets.put({ name, value, ...(hosts !== undefined && { hosts }) })
    await changed({ type: 'secret.set', subject: name, before: before && shown(before), after: shown(after) })
    return { status: 204 }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/secrets',
  operation: 'listSecrets',
  summary: 'The names of the secrets, without their values',
  policy: { scope: 'admin' },
  answers: { 200: pageOf(secret) },
  serve: async ({ pawl }) => listOf({ data: await pawl.secrets.list() }, shown),
})

const get = route({
  method: 'GET',
  path: '/v1/secrets/{name}',
  operation: 'getSecret',
  summary: 'One secret, without its value',
  policy: { scope: 'admin' },
  answers: { 200: secret },
  serve: async ({ pawl, params }) => {
    const name = params['name']!
    const found = (await pawl.secrets.list()).find((each) => each.name === name)
    if (found === undefined) throw unknown(name)
    return ok(shown(found))
  },
})

const remove = route({
  method: 'DELETE',
  path: '/v1/secrets/{name}',
  operation: 'deleteSecret',
  summary: 'Removes a secret',
  policy: { scope: 'admin' },
  answers: { 204: 'nothing' },
  serve: async ({ pawl, params, changed }) => {
    const name = params['name']!
    const before = (await pawl.secrets.list()).find((each) => each.name === name)
    if (before === undefined || !(await pawl.secrets.remove(name))) throw unknown(name)
    await changed({ type: 'secret.removed', subject: name, before: shown(before) })
    return { status: 204 }
  },
})

export const secretRoutes: readonly Route[] = [put, list, get, remove]
