import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { OF } from '../../../test/sqlite/members.ts'
import { open } from '../../../test/stores/postgres-bed.ts'

it('KERNEL 5: the feed goes by the number of a transaction, not by its text: nothing is skipped where it gets a digit more', async () => {
  const { url, reader, keeper } = await open()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const xids = [98, 99, 100, 101]
  for (const xid of xids)
    await client.query(
      `insert into pawl.events (xid, namespace, tenant, type, at, data)
       values ('${xid}', $1, $2, 'noted', 1, '{"xid": ${xid}}')`,
      [OF.namespace, OF.tenant],
    )
  const seen: unknown[] = []
  for (let after: string | undefined; ; ) {
    const [row] = await reader.feed(OF, after, 1)
    if (row === undefined) break
    seen.push(row.data['xid'])
    after = row.cursor
  }
  expect(seen).toEqual(xids)
  expect((await keeper.checkpoint(1)).hash).not.toBe((await keeper.checkpoint(2)).hash)
})
