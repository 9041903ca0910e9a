// A process that is going to be killed. It starts executions, runs and settles their actions, and says on stdout what it was
// told is written: one line per commit that returned. argv: file, round.

import { writeSync } from 'node:fs'
import { realTimers } from '../../../src/engine/clock.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { action, advance, NOW, OF, settled } from '../../sqlite/members.ts'

const [file = '', round = ''] = process.argv.slice(2)
const random = (): string => `${round} ${process.pid}`
const { store } = await openSqlite({ file, random, timers: realTimers, reserveBytes: 0 })
const say = (what: string): number => writeSync(1, `${what}\n`)

for (let n = 0; ; n++) {
  const id = `x_${round}_${n}`
  const claim = { worker: 'w', nonce: `n${n}`, leaseMs: 30_000 }
  const history = [{ type: 'execution.transitioned', at: NOW, data: { to: 'active' } }]
  const actions = [{ ...action(`act_${id}`), claim }]
  const [started] = await store.commit([{ ...OF, at: NOW, advance: advance(id, { history, actions }) }])
  if (started?.status !== 'ok') throw new Error(`start: ${started?.status}`)
  say(`started ${id}`)
  const held = { id: `act_${id}`, token: 1, nonce: `n${n}` }
  const next = { expected: 1, chain: started.chain!, history }
  const [ended] = await store.commit([
    { ...OF, at: NOW, settle: [settled(held, { result: { n } })], advance: advance(id, next) },
  ])
  if (ended?.status !== 'ok') throw new Error(`settle: ${ended?.status}`)
  say(`ended ${id}`)
}
