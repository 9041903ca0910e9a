// Owns a program of processes as a snapshot of its memory, taken when its modules were loaded: a start costs half of what
// even its code cache leaves. Such a program says what it begins with by `startupSnapshot.setDeserializeMainFunction`;
// what stands before that is the same in every process, so nothing may be drawn there, and nothing be opened.

import { execFile } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleOf } from './bundle.ts'

const run = promisify(execFile)

/** Named by who made it: whoever comes second takes the place of the first one's, which is the same. */
const take = async (program: string, blob: string): Promise<void> => {
  const draft = `${blob}.${process.pid}`
  await run(process.execPath, ['--no-warnings', '--snapshot-blob', draft, '--build-snapshot', program])
  renameSync(draft, blob)
}

const prepare = async (entry: URL): Promise<readonly string[]> => {
  const { folder, program } = await bundleOf(entry)
  const blob = join(folder, 'program.blob')
  if (!existsSync(blob)) await take(program, blob)
  return ['--snapshot-blob', blob, program]
}

const taken = new Map<string, Promise<readonly string[]>>()

/** What Node is given to start the program; the program's own arguments follow. */
export const snapshotOf = (entry: URL): Promise<readonly string[]> => {
  const snapshot = taken.get(entry.href) ?? prepare(entry)
  taken.set(entry.href, snapshot)
  return snapshot
}
