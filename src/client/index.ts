// The public names of `pawl/client`. It needs fetch and nothing else, so it runs in browsers, in Node and at the edge.

export { type ErrorCode, PawlError } from '../core/errors.ts'
export type { Json, JsonObject } from '../core/json.ts'
export {
  type Client,
  createClient,
  type Handle,
  type ReplayBody,
  type StartBody,
  type Starter,
} from './client.ts'
export type { Listing, ListPage, PageQuery } from './listing.ts'
export type { NewRecurring } from './recurring.ts'
export type {
  Action,
  Attempt,
  Bulk,
  DeadGroup,
  Defined,
  Definition,
  ErrorShown,
  Execution,
  HistoryEntry,
  Key,
  Occurrence,
  RecurringAction,
  RecurringRow,
  Sent,
  Task,
  Why,
} from './resources.ts'
export type { Answer, Call, ClientOptions } from './transport.ts'
export type { Fact, WatchOptions } from './watch.ts'
