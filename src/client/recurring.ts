// Owns recurring actions as a program asks for them: `/v1/recurring` names namespace and tenant with every request, and its
// list comes under a name of its own.

import type { JsonObject } from '../core/json.ts'
import { createListing, type Listing } from './listing.ts'
import type { Occurrence, RecurringAction, RecurringRow } from './resources.ts'
import { type Call, segment, type Transport } from './transport.ts'

export interface NewRecurring extends JsonObject {
  readonly cron_expr: string
  readonly provider: string
  readonly action_type: string
  readonly payload: JsonObject
}

const PATH = '/v1/recurring'

const listing = (send: Transport['send'], enabled: boolean | undefined): Listing<RecurringRow> =>
  createListing<RecurringRow>(
    {
      send: async (call) => {
        const answer = await send({ ...call, query: { ...call.query, enabled } })
        const { recurring_actions: data, page } = answer.body as JsonObject & { page: JsonObject }
        const { next } = page
        const shown = { hasMore: next !== null, ...(next !== null && { next: next! }) }
        return { ...answer, body: { data: data!, page: shown } }
      },
    },
    PATH,
  )

export const recurring = (
  transport: Transport,
  { namespace = 'default', tenant = 'default' }: { readonly namespace?: string; readonly tenant?: string },
) => {
  const send = (call: Call) => transport.send({ ...call, query: { namespace, tenant, ...call.query } })
  const bodyOf = async <T>(call: Call): Promise<T> => (await send(call)).body as unknown as T
  const pathOf = (id: string, verb = ''): string => `${PATH}/${segment(id)}${verb}`
  const act =
    <T>(verb: string) =>
    (id: string): Promise<T> =>
      bodyOf<T>({ method: 'POST', path: pathOf(id, verb) })
  type Turned = Pick<RecurringAction, 'id' | 'enabled' | 'next_execution_at'>
  return {
    create: (body: NewRecurring) => {
      const named = { namespace, tenant, ...body }
      return bodyOf<JsonObject & { readonly recurring_id: string }>({
        method: 'POST',
        path: PATH,
        body: named,
      })
    },
    list: ({ enabled }: { readonly enabled?: boolean } = {}) => listing(send, enabled),
    get: (id: string) => bodyOf<RecurringAction>({ path: pathOf(id) }),
    update: (id: string, changes: JsonObject) =>
      bodyOf<RecurringAction>({ method: 'PUT', path: pathOf(id), body: changes }),
    remove: async (id: string): Promise<void> => {
      await send({ method: 'DELETE', path: pathOf(id) })
    },
    pause: act<Turned>('/pause'),
    resume: act<Turned>('/resume'),
    runNow: act<RecurringAction>('/run-now'),
    skipNext: act<RecurringAction>('/skip-next'),
    backfill: (id: string, range: { readonly from: string; readonly to: string }) =>
      bodyOf<{ readonly fired: readonly string[] }>({
        method: 'POST',
        path: pathOf(id, '/backfill'),
        body: range,
      }),
    history: (id: string) => createListing<Occurrence>({ send }, pathOf(id, '/history')),
    next: async (id: string, n?: number): Promise<readonly string[]> =>
      (await bodyOf<{ readonly next: readonly string[] }>({ path: pathOf(id, '/next'), query: { n } })).next,
  }
}
