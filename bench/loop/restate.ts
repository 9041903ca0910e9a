// Restate: a handler with three steps, called through the ingress of a single node with its default settings. The server's binary
// ships in its npm package.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ground/free-port.ts'
import { labelOf, loadPeer, peerFile } from '../peers.ts'
import { keepInFlight, type LoopContender } from './loop.ts'

interface Context {
  readonly run: (name: string, call: () => number) => Promise<number>
}
interface Library {
  readonly service: (options: object) => object
  readonly createEndpointHandler: (options: object) => () => void
}

const threeSteps = async (context: Context, n: number): Promise<number> => {
  for (const name of ['first', 'second', 'third']) await context.run(name, () => n)
  return n
}

const post = async (url: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
}

const untilAnswered = async (call: () => Promise<void>): Promise<void> => {
  for (let tries = 0; ; tries++)
    try {
      return await call()
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
}

const startServer = async (ports: {
  readonly ingress: number
  readonly admin: number
  readonly node: number
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  const local = [
    '--bind-ip',
    '127.0.0.1',
    '--advertised-host',
    '127.0.0.1',
    '--bind-port',
    String(ports.node),
  ]
  const options = ['--no-logo', '--listen-mode', 'tcp', ...local, '--base-dir', folder]
  const child = spawn(
    peerFile(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`),
    options,
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
        DO_NOT_TRACK: '1',
      },
    },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = (): boolean => child.kill('SIGKILL')
  process.once('exit', end)
  return async (): Promise<void> => {
    end()
    await ended
    process.off('exit', end)
    rmSync(folder, { recursive: true, force: true })
  }
}

export const restate = async (): Promise<LoopContender & { readonly stop: () => Promise<void> }> => {
  const { library } = await loadPeer<Library>('@restatedev/restate-sdk')
  const service = library.service({ name: 'bench', handlers: { threeSteps } })
  const listener = createServer(
    library.createEndpointHandler({ services: [service], logger: () => undefined }),
  )
  const [port, ingress, admin, node] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  const stopServer = await startServer({ ingress, admin, node })
  const address = `http://127.0.0.1`
  await untilAnswered(() => post(`${address}:${admin}/deployments`, { uri: `${address}:${port}` }))
  await untilAnswered(() => post(`${address}:${ingress}/bench/threeSteps`, 0))
  return {
    label: labelOf('@restatedev/restate-server'),
    durable: 'its own log, fsync as it sees fit',
    open: async () => ({
      run: (isEnough) => keepInFlight(isEnough, (n) => post(`${address}:${ingress}/bench/threeSteps`, n)),
      close: async () => undefined,
    }),
    stop: async () => {
      await stopServer()
      listener.close()
    },
  }
}
