// What the server tests stand on: for each store one spawned server for a whole file, and a tenant of its own for each
// test, so that no test sees the rows of another.

import { afterAll, beforeAll } from 'vitest'
import { type Client, clientOf } from './checked.ts'
import { type Served, type ServedPart, startServed } from './served.ts'
import { newStore, type StoreName } from './stores.ts'

export interface Bed {
  readonly served: () => Served
  /** A client of a tenant that nobody had before. */
  readonly client: () => Client
}

let tenants = 0

export const useServed = (store: StoreName, part: Omit<ServedPart, 'store'> = {}): Bed => {
  let served: Served | undefined
  beforeAll(async () => {
    served = await startServed({ store: await newStore(store), ...part })
  })
  afterAll(async () => {
    await served?.end()
  })
  return {
    served: () => served!,
    client: () => {
      tenants += 1
      return clientOf(served!, { tenant: `t${tenants}` })
    },
  }
}

/** A lease that notifies by webhook when notice is given. */
export const leaseOf = (url: string) => ({
  kind: 'machine',
  id: 'lease',
  initial: 'active',
  states: {
    active: {
      on: { 'notice.received': 'notice_received', 'late.paid': { internal: true, set: { paid: 'yes' } } },
    },
    notice_received: {
      enter: {
        type: 'webhook',
        name: 'tell',
        config: { url, payload: { until: '{{event.payload.until}}' } },
      },
      on: { webhook_called: 'terminating', 'action.failed': 'stuck' },
      after: { '30d': 'terminated' },
    },
    terminating: { after: { '30d': 'terminated' } },
    stuck: {},
    terminated: { final: true },
  },
})
