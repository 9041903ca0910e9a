// One message among many ends every process that touches it: it is set aside, and its neighbours are not.

import { describe, expect, it } from 'vitest'
import { makeBed, OF, STORES, until } from './bed.ts'
import { bomb } from './cast.ts'

const NEIGHBOURS = 79

describe.each(STORES)('poison, on %s', (store) => {
  it('F35: an action that ends its process is dead after maxReaps; its 79 neighbours are all settled', async () => {
    const { pawl, reader, child, report } = await makeBed(store)
    const part = { runners: ['bomb'], leaseMs: 1000, work: {} }
    const harmless = Array.from({ length: NEIGHBOURS }, (_, n) =>
      pawl.dispatch(bomb({ explodes: false }), { id: `a_${n}` }),
    )
    const poison = await pawl.dispatch(bomb({ explodes: true }), { id: 'poison' })
    await Promise.all(harmless)

    const over = until(async () => {
      const { actions } = await pawl.counts()
      expect([actions.queued, actions.running]).toEqual([0, 0])
    }).then(() => 'over' as const)
    let crashes = 0
    for (;;) {
      // It may be ended before it could say that it is ready.
      const worker = await child(part).catch(() => undefined)
      const said = await Promise.race([over, worker?.ended ?? { code: 1 }])
      if (said === 'over') break
      expect(said).toMatchObject({ code: 1 })
      crashes += 1
    }

    const { actions } = await pawl.counts()
    const row = (await reader.action(OF, poison.id))!
    report(
      `poison: ${crashes} processes lost, then ${row.status} (${row.error?.type}); ` +
        `${actions.succeeded} neighbours succeeded, ${actions.dead - 1} dead`,
    )
    expect(row).toMatchObject({ status: 'dead', reaps: 5, error: { type: 'poison' } })
    expect(actions).toMatchObject({ succeeded: NEIGHBOURS, dead: 1 })
    // No more processes than that; one that is held up for longer than its lease lives on, and its turn is over too.
    expect(crashes).toBeGreaterThan(0)
    expect(crashes).toBeLessThanOrEqual(5)
  })
})
