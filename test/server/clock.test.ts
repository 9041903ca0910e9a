// The virtual clock over HTTP (KERNEL §7): 42 days pass in one request, which answers when all that was due by then has been
// done, with and without a worker beside it; on both stores.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../processes/receiver.ts'
import { leaseOf, useServed } from './bed.ts'
import { STORES } from './stores.ts'

describe.each(STORES.flatMap((store) => [true, false].map((work) => ({ store, work }))))(
  '$store, a worker: $work',
  ({ store, work }) => {
    const bed = useServed(store, { clock: 'virtual:2026-01-01T00:00:00Z', work })
    let receiver: Receiver
    beforeAll(async () => {
      receiver = await openReceiver()
    })
    afterAll(async () => {
      await receiver.close()
    })

    it('POST /v1/clock: moves, does what is due on the way, never goes back', async () => {
      const client = bed.client()
      await client.post('/v1/definitions', leaseOf(`${receiver.url}/hook`))
      await client.post('/v1/executions', { definition: 'lease', id: 'l' })
      await client.post('/v1/executions/l/events', { type: 'notice.received', payload: { until: 'x' } })
      const drained = await client.post('/v1/clock', { advanceTo: '2026-01-01T00:00:00Z' })
      expect([drained.status, drained.json]).toEqual([
        200,
        { now: '2026-01-01T00:00:00.000Z', virtual: true },
      ])
      expect((await client.get('/v1/executions/l')).json).toMatchObject({
        state: 'terminating',
        nextAt: '2026-01-31T00:00:00.000Z',
      })
      const agenda = await client.get('/v1/agenda?to=2026-03-01T00:00:00Z')
      expect(agenda.json.data).toMatchObject([
        { at: '2026-01-31T00:00:00.000Z', type: 'timer', executionId: 'l' },
      ])
      const moved = await client.post('/v1/clock', { advanceBy: '42d' })
      expect(moved.json.now).toBe('2026-02-12T00:00:00.000Z')
      expect((await client.get('/v1/executions/l')).json).toMatchObject({
        state: 'terminated',
        status: 'completed',
        updatedAt: '2026-01-31T00:00:00.000Z',
      })
      expect((await client.get('/v1/clock')).json).toEqual(moved.json)
      expect((await client.post('/v1/clock', { advanceTo: '2026-01-01T00:00:00Z' })).status).toBe(422)
      expect((await client.post('/v1/clock', {})).status).toBe(400)
      expect(
        (await client.post('/v1/clock', { advanceBy: '1d', advanceTo: '2027-01-01T00:00:00Z' })).status,
      ).toBe(400)
    })
  },
)

describe('a real clock', () => {
  const bed = useServed('SQLite')
  it('GET /v1/clock: is shown, and cannot be moved', async () => {
    const client = bed.client()
    expect((await client.get('/v1/clock')).json.virtual).toBe(false)
    expect((await client.post('/v1/clock', { advanceBy: '1d' })).json).toMatchObject({
      status: 422,
      code: 'invalid_option',
    })
  })
})
