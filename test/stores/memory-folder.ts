// Where files of a test live that nobody needs to find again after a power failure: in memory, where the machine offers
// that and has room, else where temporary files go. What is killed there is killed as on a disk; only fsync is free.

import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** A run of all tests makes some hundred databases of ten megabytes each. */
const ROOM = 6 * 2 ** 30

const hasRoom = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM
}

export const memoryFolder = (): string => (existsSync(MEMORY) && hasRoom(MEMORY) ? MEMORY : tmpdir())
