// Owns lists: a page when a page is wanted, all of it when it is walked. Pages follow each other by the server's cursor,
// which stands still under inserts, so a walk sees nothing twice.

import type { Json } from '../core/json.ts'
import type { Transport } from './transport.ts'

export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly page: { readonly next?: string; readonly hasMore: boolean }
}

export interface PageQuery {
  readonly limit?: number
  readonly after?: string
}

/** `for await (const action of client.actions.list({ status: 'dead' }))`, or one page of it. */
export interface Listing<Item> extends AsyncIterable<Item> {
  readonly page: (query?: PageQuery) => Promise<ListPage<Item>>
}

/** `{ status: 'dead', type: 'email' }` → `status:dead type:email`, the grammar of the API, the console and the CLI. */
export const filterText = (filter: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(filter)
    .flatMap(([name, value]) =>
      value === undefined ? [] : `${name}:${/[\s"]/.test(value) ? JSON.stringify(value) : value}`,
    )
    .join(' ')

export const createListing = <Item>(
  { send }: Pick<Transport, 'send'>,
  path: string,
  filter: Readonly<Record<string, string | undefined>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): Listing<Item> => {
  const text = filterText(filter)
  const page = async ({ limit, after }: PageQuery = {}): Promise<ListPage<Item>> => {
    const asked = { ...query, ...(text !== '' && { filter: text }), limit, after }
    return (await send({ path, query: asked })).body as Json as unknown as ListPage<Item>
  }
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let after: string | undefined
      do {
        const found = await page({ limit: 250, ...(after !== undefined && { after }) })
        yield* found.data
        after = found.page.hasMore ? found.page.next : undefined
      } while (after !== undefined)
    },
  }
}

/** A list that is short by nature: it comes in one piece, and takes no page. */
export const createWholeListing = <Item>(
  { send }: Transport,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Listing<Item> => {
  const page = async (): Promise<ListPage<Item>> =>
    (await send({ path, query })).body as Json as unknown as ListPage<Item>
  return {
    page,
    async *[Symbol.asyncIterator]() {
      yield* (await page()).data
    },
  }
}
