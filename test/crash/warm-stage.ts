// Owns the first stage after a change of the sources, on which nothing is judged: the workload once, so that the code that
// it takes is compiled and kept. Every other stage is opened as it is.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf } from '../processes/bundle.ts'
import type { Server } from '../stores/postgres-server.ts'
import { PROGRAM } from './life.ts'
import { openColdStage, type Stage } from './stage.ts'
import { scriptsOf } from './workload.ts'

const warmUp = async (): Promise<void> => {
  const { folder } = await bundleOf(PROGRAM)
  const mark = join(folder, 'warm')
  if (existsSync(mark)) return
  const stage = await openColdStage()
  try {
    const life = await stage.begin()
    await life.ready
    for (const script of scriptsOf('warm')) await stage.play(life, script)
    await life.ask({ verb: 'quiet' })
    await life.ask({ verb: 'keep_code' })
    writeFileSync(mark, '')
  } finally {
    await stage.close()
  }
}

let warmth: Promise<void> | undefined

/** On SQLite unless there is a server. `behind`: the address processes are given, when it is not the server's own. */
export const openStage = async (
  server?: Server,
  behind?: (url: string) => Promise<string>,
): Promise<Stage> => {
  warmth ??= warmUp()
  await warmth
  return openColdStage(server, behind)
}
