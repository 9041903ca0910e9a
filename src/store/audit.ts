// The port for the audit: what people changed through the API, each entry chained to the one before it by its hash, a
// chain for each tenant. Entries are added and read, never changed.

import { type Chained, type ChainHead, chainStart, type Link } from '../core/history.ts'
import type { Page, PageRequest } from './reader.ts'
import type { Tenancy } from './store.ts'

export interface Audit {
  /** After all that were added before, by whichever process. */
  readonly append: (of: Tenancy, entry: Omit<Link, 'number'>) => Promise<Chained>
  /** Newest first. */
  readonly list: (of: Tenancy, page: PageRequest) => Promise<Page<Chained>>
}

/** Where a tenant's audit begins: no chain of an execution can stand in for it. */
export const auditStart = ({ namespace, tenant }: Tenancy): ChainHead =>
  chainStart(namespace, tenant, 'audit\n')
