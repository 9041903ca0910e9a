// Owns the one store in memory that simulated worlds share, one after the other. Opening one costs more than a world:
// it is emptied instead. Lanes stay and were made in one order, so that no world can tell which came before it.

import type { DatabaseSync } from 'node:sqlite'
import { planAction } from '../../src/core/action-plan.ts'
import { scopeOf } from '../../src/core/template/scope.ts'
import type { Ports } from '../../src/engine/engine.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store, Wake } from '../../src/store/store.ts'
import { PRIORITIES, TYPES } from './machines.ts'

export const NAMESPACE = 'sim'
export const TENANTS = ['t1', 't2', 't3'] as const

export interface Bed {
  readonly ports: Ports
  readonly db: DatabaseSync
  /** A world begins: nothing of the one before is left. */
  readonly empty: (nonce: () => string) => void
  readonly close: () => Promise<void>
}

const KEPT = new Set(['store_meta', 'migrations', 'lanes', 'sqlite_sequence'])

const internLanes = async (commit: Ports['store']['commit']): Promise<void> => {
  for (const tenant of TENANTS)
    for (const type of TYPES)
      for (const priority of PRIORITIES) {
        const id = `${tenant} ${type} ${priority}`
        const request = { type, config: {}, options: { priority }, literal: true } as const
        const scope = () => scopeOf({ now: 0 })
        const plan = planAction(request, { source: 'direct', stepKey: id, name: id, scope, now: 0 })
        const enqueue = [{ id, plan, source: { kind: 'direct' as const, id } }]
        await commit([{ namespace: NAMESPACE, tenant, at: 0, enqueue }])
      }
}

export const openBed = async (): Promise<Bed> => {
  let drawn = 0
  let nonce = (): string => (drawn++).toString(16).padStart(32, '0')
  const soon = (): Promise<void> => Promise.resolve()
  const timers = { sleep: soon, turn: soon, every: () => () => undefined }
  const { store, reader, keeper, workers, limits, triage, connection } = await openSqlite({
    file: ':memory:',
    random: () => nonce(),
    timers,
  })
  await internLanes(store.commit)
  // A process that crashed never stops listening: its world is forgotten with the next one.
  const listeners = new Set<(wake: Wake) => void>()
  store.wake((news) => {
    for (const listener of listeners) listener(news)
  })
  const wake: Store['wake'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const tables = connection
    .prepare(`select name from sqlite_schema where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  const script = [
    ...tables.filter((name) => !KEPT.has(name)).map((name) => `delete from ${name}`),
    `update sqlite_sequence set seq = 0 where name <> 'lanes'`,
    `update store_meta set value = '1' where key = 'epoch'`,
  ].join(';')
  return {
    // The id is part of every key: a world's keys must not differ from one run to the next.
    ports: { store: { ...store, id: 'str_simulated', wake }, reader, keeper, workers, limits, triage },
    db: connection,
    empty: (draw) => {
      nonce = draw
      listeners.clear()
      connection.exec(`begin; ${script}; commit`)
    },
    close: store.close,
  }
}
