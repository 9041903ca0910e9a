// DBOS Transact: a workflow of three steps, started directly, on the same PostgreSQL.

import type { Ground } from '../ground/ground.ts'
import { loadPeer } from '../peers.ts'
import { keepInFlight, type LoopContender } from './loop.ts'

interface Dbos {
  readonly registerWorkflow: (
    call: (n: number) => Promise<void>,
    options: object,
  ) => (n: number) => Promise<void>
  readonly runStep: (call: () => Promise<number>, options: object) => Promise<number>
  readonly setConfig: (options: object) => void
  readonly launch: () => Promise<void>
  readonly shutdown: () => Promise<void>
}

export const dbos = async ({ fresh, drop, durable }: Ground): Promise<LoopContender> => {
  const { label, library } = await loadPeer<{ readonly DBOS?: Dbos; readonly default?: { DBOS: Dbos } }>(
    '@dbos-inc/dbos-sdk',
  )
  const DBOS = library.DBOS ?? library.default!.DBOS
  const execute = DBOS.registerWorkflow(
    async (n) => {
      for (const name of ['first', 'second', 'third']) await DBOS.runStep(async () => n, { name })
    },
    { name: 'three-steps' },
  )
  return {
    label,
    durable,
    open: async () => {
      const store = await fresh()
      DBOS.setConfig({
        name: 'bench',
        systemDatabaseUrl: store,
        systemDatabasePoolSize: 20,
        logLevel: 'error',
        runAdminServer: false,
      })
      await DBOS.launch()
      return {
        run: (isEnough) => keepInFlight(isEnough, execute),
        close: async () => {
          await DBOS.shutdown()
          await drop(store)
          return undefined
        },
      }
    },
  }
}
