// Owns the client as programs hold it: one function per operation of the API, grouped as the API is. It knows paths and
// nothing else; requests are transport.ts, lists listing.ts, the stream watch.ts.

import type { Json, JsonObject } from '../core/json.ts'
import { createListing, createWholeListing } from './listing.ts'
import { recurring } from './recurring.ts'
import type {
  Action,
  AgendaEntry,
  Bulk,
  DeadGroup,
  Defined,
  Definition,
  Execution,
  HistoryEntry,
  Key,
  Sent,
  Task,
  TypedDefinition,
  Why,
} from './resources.ts'
import {
  type Answer,
  type Call,
  type ClientOptions,
  createTransport,
  segment,
  type Transport,
} from './transport.ts'
import { type Fact, type WatchOptions, watch } from './watch.ts'

type Filter<Names extends string> = Partial<Readonly<Record<Names, string>>>
type TypesOf<D extends TypedDefinition> = NonNullable<D['~types']>
type Apps = Readonly<Record<string, TypedDefinition>>

/** One execution, to be talked to. */
export interface Handle<D extends TypedDefinition> {
  readonly id: string
  readonly send: <Name extends keyof TypesOf<D>['events'] & string>(
    type: Name,
    payload: TypesOf<D>['events'][Name],
    options?: { readonly id?: string },
  ) => Promise<Sent>
  readonly get: () => Promise<Execution>
}

export interface Starter<D extends TypedDefinition> {
  readonly start: (variables: TypesOf<D>['input'], options?: { readonly id?: string }) => Promise<Handle<D>>
}

export type Client<App extends Apps = Apps> = ReturnType<typeof groups> & {
  /** By the names of the type it was made with: `createClient<{ lease: typeof lease }>`. */
  readonly machines: { readonly [Name in keyof App]: Starter<App[Name]> }
}

export const createClient = <App extends Apps = Apps>(options: ClientOptions): Client<App> => {
  const all = groups(createTransport(options), options)
  const machines = new Proxy({} as Client<App>['machines'], {
    get: (_, name) => (typeof name === 'string' ? starter(all, name) : undefined),
  })
  return { ...all, machines }
}

const starter = (all: ReturnType<typeof groups>, definition: string): Starter<TypedDefinition> => ({
  start: async (variables, options = {}) => {
    const { id } = await all.executions.start({ definition, variables: variables as JsonObject, ...options })
    return {
      id,
      send: (type, payload, sent = {}) =>
        all.executions.send(id, { type, payload: payload as Json, ...sent }),
      get: () => all.executions.get(id),
    }
  },
})

const groups = (transport: Transport, options: ClientOptions) => {
  const ask = verbs(transport)
  return {
    /** Any request: what has no function of its own yet. */
    request: (call: Call): Promise<Answer> => transport.send(call),
    watch: (options?: WatchOptions): AsyncGenerator<Fact> => watch(transport, options),
    definitions: definitions(transport, ask),
    executions: executions(transport, ask),
    actions: actions(transport, ask),
    dead: dead(transport, ask),
    bulk: bulk(transport, ask),
    recurring: recurring(transport, options),
    tasks: {
      list: (filter: Filter<'status' | 'assignee' | 'execution'> = {}) =>
        createListing<Task>(transport, '/v1/tasks', filter),
      get: (id: string) => ask.get<Task>(`/v1/tasks/${segment(id)}`),
      complete: (id: string, body: { readonly result?: Json; readonly by?: string } = {}) =>
        ask.post<JsonObject>(`/v1/tasks/${segment(id)}/complete`, body as JsonObject),
    },
    keys: {
      list: () => createWholeListing<Key>(transport, '/v1/keys'),
      create: (body: JsonObject) => ask.post<Key & { readonly token: string }>('/v1/keys', body),
      revoke: (id: string) => ask.remove(`/v1/keys/${segment(id)}`),
    },
    secrets: {
      list: () => createWholeListing<JsonObject>(transport, '/v1/secrets'),
      put: (name: string, value: string, hosts?: readonly string[]) =>
        ask.put(`/v1/secrets/${segment(name)}`, { value, ...(hosts && { hosts }) }),
      remove: (name: string) => ask.remove(`/v1/secrets/${segment(name)}`),
    },
    /** What is to come, in order of time. */
    agenda: (query: AgendaQuery = {}) => createListing<AgendaEntry>(transport, '/v1/agenda', {}, query),
    workers: () => createWholeListing<JsonObject>(transport, '/v1/workers'),
    audit: () => createListing<JsonObject>(transport, '/v1/audit'),
    alerts: {
      list: () => createListing<JsonObject>(transport, '/v1/alerts'),
      acknowledge: (id: string) => ask.post<JsonObject>(`/v1/alerts/${segment(id)}/acknowledge`),
    },
    stats: (window?: string) => ask.get<JsonObject>('/v1/stats', { window }),
    health: (name: string, window?: string) =>
      ask.get<JsonObject>(`/v1/health/actions/${segment(name)}`, { window }),
    ready: () => ask.get<JsonObject>('/readyz'),
  }
}

/** As the route takes it; what is undefined is not sent. */
type AgendaQuery = Readonly<
  Partial<Record<'from' | 'to' | 'zone' | 'kind' | 'definition' | 'paused', string | undefined>>
>

type Ask = ReturnType<typeof verbs>

const verbs = ({ send }: Transport) => ({
  get: async <T>(path: string, query: Call['query'] = {}): Promise<T> =>
    (await send({ path, query })).body as unknown as T,
  post: async <T>(path: string, body: Json = {}): Promise<T> =>
    (await send({ method: 'POST', path, body })).body as unknown as T,
  put: async (path: string, body: JsonObject): Promise<void> => {
    await send({ method: 'PUT', path, body })
  },
  remove: async (path: string): Promise<void> => {
    await send({ method: 'DELETE', path })
  },
})

const definitions = (transport: Transport, ask: Ask) => ({
  list: (filter: Filter<'kind'> = {}) => createWholeListing<Definition>(transport, '/v1/definitions', filter),
  get: (kind: string, id: string) => ask.get<Definition>(`/v1/definitions/${segment(kind)}/${segment(id)}`),
  put: (definition: JsonObject) => ask.post<Defined>('/v1/definitions', definition),
  /** Only over the version that was read: its hash is the ETag. */
  replace: async (definition: JsonObject, ifMatch: string): Promise<Defined> => {
    const headers = { 'if-match': `"${ifMatch}"` }
    const call = { method: 'POST', path: '/v1/definitions', body: definition, headers } as const
    return (await transport.send(call)).body as unknown as Defined
  },
  putYaml: async (body: string): Promise<Defined> => {
    const text = { body, type: 'application/yaml' }
    return (await transport.send({ method: 'POST', path: '/v1/definitions', text }))
      .body as unknown as Defined
  },
})

export interface StartBody {
  readonly definition: string
  readonly kind?: string
  readonly id?: string
  readonly variables?: JsonObject
}

const executions = (transport: Transport, ask: Ask) => {
  const path = (id: string, verb = ''): string => `/v1/executions/${segment(id)}${verb}`
  const because = (reason?: string): JsonObject => (reason === undefined ? {} : { reason })
  return {
    start: (body: StartBody) => ask.post<Execution>('/v1/executions', body as unknown as JsonObject),
    get: (id: string) => ask.get<Execution>(path(id)),
    list: (filter: Filter<'kind' | 'definition' | 'status' | 'state'> = {}) =>
      createListing<Execution>(transport, '/v1/executions', filter),
    send: (id: string, event: { readonly type: string; readonly payload?: Json; readonly id?: string }) =>
      ask.post<Sent>(path(id, '/events'), event as JsonObject),
    patch: async (id: string, variables: JsonObject, dryRun = false): Promise<JsonObject> => {
      const query = dryRun ? { dryRun } : {}
      const call = { method: 'PATCH', path: path(id, '/variables'), body: variables, query } as const
      return (await transport.send(call)).body as JsonObject
    },
    pause: (id: string, reason?: string) => ask.post<Execution>(path(id, '/pause'), because(reason)),
    resume: (id: string) => ask.post<Execution>(path(id, '/resume')),
    cancel: (id: string, reason?: string) => ask.post<Execution>(path(id, '/cancel'), because(reason)),
    history: (id: string) => createListing<HistoryEntry>(transport, path(id, '/history')),
    timeline: (id: string) => createListing<JsonObject>(transport, path(id, '/timeline')),
    actions: (id: string) => createListing<Action>(transport, path(id, '/actions')),
    why: (id: string) => ask.get<Why>(path(id, '/why')),
  }
}

const actions = (transport: Transport, ask: Ask) => {
  const path = (id: string, verb = ''): string => `/v1/actions/${segment(id)}${verb}`
  const act = (verb: string) => (id: string) => ask.post<Action>(path(id, `/${verb}`))
  return {
    dispatch: (body: JsonObject) => ask.post<Action>('/v1/actions', body),
    /** All of them or none, up to 1,000; answered in the same order. */
    dispatchMany: (bodies: readonly JsonObject[]) => ask.post<readonly Action[]>('/v1/actions', bodies),
    get: (id: string) => ask.get<Action>(path(id)),
    list: (filter: Filter<'status' | 'type' | 'execution' | 'name' | 'tag' | 'fingerprint'> = {}) =>
      createListing<Action>(transport, '/v1/actions', filter),
    why: (id: string) => ask.get<Why>(path(id, '/why')),
    runNow: act('run-now'),
    retry: act('retry'),
    archive: act('archive'),
    cancel: (id: string, reason?: string) =>
      ask.post<Action>(path(id, '/cancel'), reason === undefined ? {} : { reason }),
    replay: (id: string, config?: Json) =>
      ask.post<Action>(path(id, '/replay'), config === undefined ? {} : { config }),
    resolve: (id: string, body: JsonObject) => ask.post<Action>(path(id, '/resolve'), body),
  }
}

export interface ReplayBody {
  readonly group?: string
  readonly filter?: JsonObject
  readonly ratePerSecond?: number
}

const dead = (transport: Transport, ask: Ask) => ({
  list: (filter: Filter<'type' | 'name' | 'tag' | 'execution' | 'fingerprint'> = {}) =>
    createListing<Action>(transport, '/v1/dead-letters', filter),
  groups: () => createListing<DeadGroup>(transport, '/v1/dead-letters/groups'),
  /** How many it would be. */
  count: async (body: ReplayBody): Promise<number> => {
    const asked = { ...body, dryRun: true } as unknown as JsonObject
    return (await ask.post<{ readonly count: number }>('/v1/dead-letters/replay', asked)).count
  },
  replay: (body: ReplayBody) => ask.post<Bulk>('/v1/dead-letters/replay', body as unknown as JsonObject),
  retry: (id: string) => ask.post<Action>(`/v1/dead-letters/${segment(id)}/retry`),
  archive: (id: string) => ask.post<Action>(`/v1/dead-letters/${segment(id)}/archive`),
})

const bulk = (transport: Transport, ask: Ask) => {
  const act = (verb: string) => (id: string) => ask.post<Bulk>(`/v1/bulk/${segment(id)}/${verb}`)
  return {
    list: () => createListing<Bulk>(transport, '/v1/bulk'),
    get: (id: string) => ask.get<Bulk>(`/v1/bulk/${segment(id)}`),
    failures: (id: string) => createListing<JsonObject>(transport, `/v1/bulk/${segment(id)}/failures`),
    pause: act('pause'),
    resume: act('resume'),
    stop: act('stop'),
  }
}
