// `why` for everything that limits and providers can do to an action: each hold in words, until when, and what to do.

import { expect, it } from 'vitest'
import { NOW, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'
import { bringAbout, idle, job, LIMIT_CASES } from './why-cases.ts'

onEachStore('why, of limits', (bed) => {
  it.each(Object.entries(LIMIT_CASES))('%s', async (_, row) => {
    const { limits, told } = row
    const pawl = await bed.open({ runners: [job, idle], ...(limits && { limits }) })
    const { reasons, eta } = await pawl.why(await bringAbout(pawl, row))
    expect(reasons).toMatchObject(told.map(({ code, text }) => ({ code, text: expect.stringMatching(text) })))
    for (const [index, { untilMs }] of told.entries()) {
      const until = reasons[index]!.until
      if (untilMs === undefined) expect(until).toBeUndefined()
      else {
        expect(until! - NOW).toBeGreaterThanOrEqual(untilMs[0])
        expect(until! - NOW).toBeLessThanOrEqual(untilMs[1])
      }
    }
    if (told.length === 1 && told[0]!.untilMs !== undefined) expect(eta).toBe(reasons[0]!.until)
  })

  it('a place in line: how many run, how many wait before it', async () => {
    const started = Promise.withResolvers<void>()
    const door = Promise.withResolvers<void>()
    const slow = spy('slow', async () => {
      started.resolve()
      await door.promise
    })
    const pawl = await bed.open({ runners: [slow], clock: 'real' })
    const limit = { key: 'k', concurrency: 1 }
    const stop = await pawl.work()
    await pawl.dispatch(slow({}), { limit })
    await started.promise
    const held = async (id: string): Promise<boolean> =>
      (await pawl.actions.get(id))?.hold === 'concurrency:k'
    let last = ''
    for (let n = 0; n < 2; n++) {
      last = (await pawl.dispatch(slow({ n }), { limit })).id
      await expect.poll(() => held(last), { timeout: 30_000 }).toBe(true)
    }
    const { reasons } = await pawl.why(last)
    expect(reasons).toMatchObject([
      {
        code: 'concurrency',
        text: '“k” lets only 1 run at a time: 1 run and 1 wait before it; it is called when one of them ends',
        until: expect.any(Number),
      },
    ])
    door.resolve()
    await expect.poll(async () => (await pawl.counts()).actions.succeeded, { timeout: 30_000 }).toBe(3)
    await stop()
  })

  it('a closed window has its own words', async () => {
    const pawl = await bed.open({ runners: [job] })
    const { id } = await pawl.dispatch(job({}), {
      window: { timezone: 'UTC', weekdays: 'daily', from: '10:00', to: '11:00' },
    })
    await settle(pawl)
    expect((await pawl.why(id)).reasons[0]).toMatchObject({ code: 'window' })
  })
})
