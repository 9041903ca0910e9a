// Workers that die, are asked to end, or stop and come back: what they held goes on elsewhere, and nothing twice.

import { describe, expect, it } from 'vitest'
import type { ActionRow } from '../../src/store/reader.ts'
import { type Bed, makeBed, OF, STORES, transitionsTo, until } from './bed.ts'
import { hook } from './cast.ts'
import { accepted, createGate } from './receiver.ts'

const dispatchHooks = async ({ pawl, receiver }: Bed, count: number): Promise<readonly string[]> => {
  const names = Array.from({ length: count }, (_, n) => `a_${String(n).padStart(3, '0')}`)
  const sent = names.map((id) => pawl.dispatch(hook({ url: `${receiver.url}/${id}`, body: id }), { id }))
  return (await Promise.all(sent)).map(({ id }) => id)
}

const rowsOf = ({ reader }: Bed, ids: readonly string[]): Promise<readonly ActionRow[]> =>
  Promise.all(ids.map(async (id) => (await reader.action(OF, id))!))

const allSucceed = ({ pawl }: Bed, count: number): Promise<void> =>
  until(async () => expect((await pawl.counts()).actions.succeeded).toBe(count))

/** Each action's calls: one key for all of them, and no two actions share one. */
const assertKeys = ({ receiver }: Bed, count: number): void => {
  const keys = new Map(receiver.calls.map(({ path, key }) => [path, key]))
  expect(new Set(keys.values()).size).toBe(count)
  for (const { path, key } of receiver.calls) expect(key).toBe(keys.get(path))
}

describe.each(STORES)('workers, on %s', (store) => {
  it('F04: killed by SIGKILL: its actions start elsewhere within lease + 1 s', async () => {
    const bed = await makeBed(store)
    const [leaseMs, count] = [3000, 20]
    const gate = createGate()
    bed.receiver.answer(gate.answer)
    const victim = await bed.child({ runners: ['hook'], leaseMs, work: { slots: count } })
    const ids = await dispatchHooks(bed, count)
    await until(() => expect(gate.waiting()).toBe(count))
    bed.receiver.answer(accepted)
    expect(await victim.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    const held = await rowsOf(bed, ids)
    await bed.child({ runners: ['hook'], work: { slots: count } })
    const readyAt = Date.now()
    await allSucceed(bed, count)

    const after = await rowsOf(bed, ids)
    const waits = after.map(({ startedAt }, index) => startedAt! - held[index]!.leaseUntil!)
    for (const row of after) expect(row).toMatchObject({ attempt: 2, lost: 1, reaps: 1 })
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
    // From when somebody is there. One second is the figure; the factor is for machines that do other things too.
    const late = after.map(({ startedAt }, index) => startedAt! - Math.max(held[index]!.leaseUntil!, readyAt))
    expect(Math.max(...late)).toBeLessThan(1000 * 20)
    assertKeys(bed, count)
    bed.report(`SIGKILL with ${count} held: started elsewhere ${Math.max(...waits)} ms after their leases`)
  })

  it('F37: SIGTERM with 200 in flight: what finishes is settled, the rest released with no attempt consumed', async () => {
    const bed = await makeBed(store)
    const [count, answered] = [200, 120]
    const gate = createGate()
    bed.receiver.answer(gate.answer)
    const worker = await bed.child({
      runners: ['hook'],
      drainMs: 5000,
      work: { slots: count, signals: true },
    })
    const ids = await dispatchHooks(bed, count)
    await until(() => expect(gate.waiting()).toBe(count))
    worker.signal('SIGTERM')
    await worker.told('signalled')
    const settled = new Set(gate.open(answered).map(({ path }) => path.slice(1)))
    expect(await worker.ended).toEqual({ code: null, signal: 'SIGTERM' })

    for (const row of await rowsOf(bed, ids)) {
      if (settled.has(row.plan.stepKey))
        expect(row).toMatchObject({ status: 'succeeded', attempt: 1, lost: 0 })
      else expect(row).toMatchObject({ status: 'queued', attempt: 1, lost: 1, reaps: 0 })
    }
    bed.receiver.answer(accepted)
    await bed.child({ runners: ['hook'], work: { slots: count } })
    await allSucceed(bed, count)
    expect(bed.receiver.calls).toHaveLength(count + count - answered)
    assertKeys(bed, count)
    bed.report(`SIGTERM with ${count} in flight: ${settled.size} settled, ${count - settled.size} released`)
  })

  it('F37: a second SIGTERM ends it at once; nothing is lost', async () => {
    const bed = await makeBed(store)
    const count = 200
    const gate = createGate()
    bed.receiver.answer(gate.answer)
    // A drain longer than any test may take: only the second signal can end it.
    const worker = await bed.child({
      runners: ['hook'],
      drainMs: 3_600_000,
      work: { slots: count, signals: true },
    })
    const ids = await dispatchHooks(bed, count)
    await until(() => expect(gate.waiting()).toBe(count))
    worker.signal('SIGTERM')
    await worker.told('signalled')
    expect(await worker.end('SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' })
    for (const row of await rowsOf(bed, ids))
      expect(row).toMatchObject({ status: 'queued', attempt: 1, lost: 1, reaps: 0 })
    bed.receiver.answer(accepted)
    await bed.child({ runners: ['hook'], work: { slots: count } })
    await allSucceed(bed, count)
    assertKeys(bed, count)
    bed.report(`two SIGTERM: ${count} released at once, all done by the next`)
  })

  it('F27: stopped past its lease and continued: its settlement is fenced and kept as evidence', async () => {
    const bed = await makeBed(store)
    const { pawl, receiver, child, history } = bed
    const part = { definitions: ['lease'], runners: ['hook'], work: {} }
    const gate = createGate()
    receiver.answer(gate.answer)
    const zombie = await child({ ...part, leaseMs: 1000 })
    const variables = { url: receiver.url, landlord: 'ada', stalls: false }
    const run = await pawl.start('lease', { id: 'l_1', variables })
    await pawl.send(run.id, 'notice.received')
    await until(() => expect(gate.waiting()).toBeGreaterThan(0))
    // A process stopped inside a write of SQLite holds up all others, rightly: then it is stopped again, elsewhere. One
    // that was held up for longer than its lease has begun again by itself.
    for (let isStopped = false; !isStopped; ) {
      zombie.signal('SIGSTOP')
      isStopped = await untilWritten(bed)
      if (!isStopped) zombie.signal('SIGCONT')
    }
    const before = receiver.calls.length
    receiver.answer(accepted)
    await child(part)
    await until(async () => expect((await run.get()).status).toBe('completed'))
    gate.open()
    zombie.signal('SIGCONT')

    const late = await until(async () => {
      for await (const row of pawl.watch({ execution: run.id, signal: AbortSignal.timeout(20_000) }))
        if (row.type === 'action.late') return row
      throw new Error('no evidence yet')
    })
    expect(late.data).toMatchObject({ name: 'send_notice' })
    expect(late.data['token']).toBeLessThanOrEqual(before)
    expect(receiver.calls).toHaveLength(before + 1)
    expect(receiver.effects()).toBe(1)
    for (const { body } of receiver.calls) expect(body.equals(receiver.calls[0]!.body)).toBe(true)
    expect(transitionsTo(await history(run.id), 'terminated')).toBe(1)
    expect((await pawl.counts()).actions).toMatchObject({ succeeded: 1, running: 0, dead: 0 })
    bed.report(
      `zombie: ${before + 1} calls, 1 key, 1 transition, evidence ${late.type} (${late.data['outcome']})`,
    )
  })
})

/** Can others write while it stands still? */
const untilWritten = async ({ pawl, receiver }: Bed): Promise<boolean> => {
  const written = pawl
    .dispatch({ ...hook({ url: receiver.url, body: null }), type: 'nobody' })
    .then(() => true)
  const given = new Promise<boolean>((resolve) => {
    AbortSignal.timeout(2000).addEventListener('abort', () => resolve(false))
  })
  return Promise.race([written, given])
}
