// Owns what a route is: data that says everything about it (method, path, shapes, policy, words) and the one function that
// serves it. Serving, checking and describing all read the same data, so that none can differ from the others.

import type { z } from 'zod'
import type { JsonObject } from '../core/json.ts'
import type { Problem } from '../definitions/problem.ts'
import type { LogSink } from '../engine/log.ts'
import type { OpenedPawl } from '../pawl/open.ts'
import type { Pawl } from '../pawl/surface.ts'
import type { Scope } from '../store/keys.ts'
import type { Tenancy } from '../store/store.ts'
import type { Actor } from './actor.ts'

/** Who may call it. `public` needs no key; there is no route without a policy. */
export interface Policy {
  readonly scope: Scope | 'public'
  /** An operator may name another tenant than the key's own. */
  readonly spansTenants?: true
  /** Namespace and tenant must be named, there. */
  readonly namesTenant?: 'query' | 'body'
  /** Only on loopback, before the first key was made. */
  readonly localOnly?: true
  /** Any Host may ask: probes of an orchestrator call by address. */
  readonly anyHost?: true
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, unless `headers` say otherwise of a text or a stream. */
  readonly body?: object | string | ReadableStream<Uint8Array>
  /** What is kept under an Idempotency-Key instead of the body: a token is shown once. */
  readonly kept?: object
}

/** What was changed, for the audit. */
export interface Change {
  readonly type: string
  readonly subject: string
  readonly before?: unknown
  readonly after?: unknown
}

/** What every route of one server shares. */
export interface House extends OpenedPawl {
  readonly log: LogSink
  readonly metrics: (() => Promise<string>) | undefined
  readonly version: string
  /** A key was made: local mode is over. */
  readonly keyMade: () => void
  readonly isDraining: () => boolean
  /** Real time. */
  readonly now: () => number
  readonly streams: Streams
  /** The description of every route. */
  readonly describe: () => JsonObject
  readonly docs: () => string
}

/** Connections that stay open. */
export interface Streams {
  /** Throws `rate_limited` when the actor has too many. */
  readonly open: (actor: Actor) => { readonly signal: AbortSignal; readonly close: () => void }
  readonly heartbeatMs: number
}

export interface Call<Query = unknown, Body = unknown> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** Where a problem of the body stands in its text. */
  readonly place: (problem: Problem) => Problem
  readonly actor: Actor
  readonly of: Tenancy
  /** The library, for the tenant that asks. */
  readonly pawl: Pawl
  readonly house: House
  readonly header: (name: string) => string | undefined
  readonly requestId: string
  /** Does the key still hold? */
  readonly holds: () => Promise<boolean>
  /** An id that the same request under the same Idempotency-Key has again; undefined without a key. */
  readonly ownId: (prefix: string) => string | undefined
  /** Writes it into the audit. */
  readonly changed: (change: Change) => Promise<void>
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/v1/executions/{id}`. */
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly policy: Policy
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Its words are in no message and no kept answer. */
  readonly isPrivate?: true
  readonly takesYaml?: true
  /** The shape of the answer by its status. */
  readonly answers: Readonly<Record<number, z.ZodType | 'nothing' | 'text' | 'events'>>
  readonly serve: (call: Call<never, never>) => Promise<Answer>
}

type Served<Query extends z.ZodType, Body extends z.ZodType> = Omit<Route, 'query' | 'body' | 'serve'> & {
  readonly query?: Query
  readonly body?: Body
  readonly serve: (call: Call<z.output<Query>, z.output<Body>>) => Promise<Answer>
}

/** Gives `serve` the types of its shapes. */
export const route = <
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
>(
  given: Served<Query, Body>,
): Route => given as unknown as Route

export const ok = (body: object, status = 200): Answer => ({ status, body })

/** Pages of a list, as every list shows them. */
export const listOf = <Row, Shown>(
  page: { readonly data: readonly Row[]; readonly next?: string; readonly window?: number },
  show: (row: Row) => Shown,
): Answer =>
  ok({
    data: page.data.map(show),
    page: {
      ...(page.next !== undefined && { next: page.next }),
      hasMore: page.next !== undefined,
      ...(page.window !== undefined && { window: page.window }),
    },
  })
