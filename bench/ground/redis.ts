// Owns the Redis that BullMQ is measured on: `redis-server` of the machine (npm has none to offer), one of the bench's own that
// syncs its log each second: up to a second of what it accepted is lost with the power.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export const EVERY_SECOND = 'fsync each second'

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const assertThere = (): void => {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new Error('there is no redis-server on the PATH (Debian: apt-get install redis-server)')
}

export interface Redis {
  readonly port: number
  readonly stop: () => Promise<void>
}

export const startRedis = async (): Promise<Redis> => {
  assertThere()
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  const port = await freePort()
  const settings = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--bind', '127.0.0.1']
  const child = spawn('redis-server', ['--port', String(port), '--dir', folder, ...settings], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = (): boolean => child.kill('SIGTERM')
  process.once('exit', end)
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 200) throw new Error('redis-server does not answer')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    stop: async () => {
      end()
      await ended
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
