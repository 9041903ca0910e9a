// Processes that do everything are killed again and again, at whatever they happen to be doing, until all the work is
// done: nothing is lost, nothing is applied twice, every repetition is the same call.

import { describe, expect, it } from 'vitest'
import { makeBed, OF, STORES, transitionsTo, until } from './bed.ts'

/** Each slice of work, and after how many of its ten calls a process is killed: different instants of it. */
const KILL_AFTER = [1, 5, 2, 9, 3, 7]
const SLICE = 10
const RUNS = Array.from({ length: KILL_AFTER.length * SLICE }, (_, n) => `l_${n}`)

describe.each(STORES)('a storm of crashes, on %s', (store) => {
  it('F04 F06 F08: 60 leases end although their processes are killed; one transition each, one key each', async () => {
    const { pawl, reader, receiver, child, history, report } = await makeBed(store)
    const part = { definitions: ['lease'], runners: ['hook'], leaseMs: 1000, work: { slots: 8 } }
    const workers = [await child(part), await child(part)]
    const server = await child()
    const variables = { url: receiver.url, landlord: 'ada', stalls: false }
    for (const [index, more] of KILL_AFTER.entries()) {
      const before = receiver.calls.length
      const feeding = RUNS.slice(index * SLICE, (index + 1) * SLICE).map(async (id) => {
        await server.ask({ verb: 'start', definition: 'lease', id, variables })
        await server.ask({ verb: 'send', execution: id, type: 'notice.received', id: 'e_1' })
      })
      await until(() => expect(receiver.calls.length).toBeGreaterThanOrEqual(before + more))
      expect(await workers.shift()!.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await Promise.all([...feeding, child(part).then((next) => workers.push(next))])
    }
    await until(async () => expect((await pawl.counts()).executions.completed).toBe(RUNS.length))

    for (const id of RUNS) {
      const lines = await history(id)
      expect([transitionsTo(lines, 'notice_received'), transitionsTo(lines, 'terminated')]).toEqual([1, 1])
    }
    expect(receiver.effects()).toBe(RUNS.length)
    for (const { key, body } of receiver.calls)
      expect(receiver.callsOf(key).every((other) => other.body.equals(body))).toBe(true)
    const { data } = await reader.actions(OF, {}, { limit: 250 })
    expect(data.filter(({ status }) => status === 'succeeded')).toHaveLength(RUNS.length)
    expect((await pawl.counts()).actions).toMatchObject({ queued: 0, running: 0, dead: 0, review: 0 })
    const repeated = receiver.calls.length - RUNS.length
    report(
      `${KILL_AFTER.length} kills: ${RUNS.length} leases ended, ${repeated} calls repeated, one key each`,
    )
  })
})
