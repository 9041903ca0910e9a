// Owns the receiver of the first example: a small HTTP server that plays the provider of push messages. It throttles the
// first call of every key, then accepts, and answers a key it has accepted before with the same id, as good providers do.
// Every call is written down in a file, so that a second run can tell what the first one sent.

import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'

export interface Call {
  readonly key: string
  readonly body: string
  readonly status: number
}

export interface Provider {
  readonly url: string
  /** All calls of this file, earlier runs included. */
  readonly calls: () => readonly Call[]
  readonly onCall: (listener: (call: Call) => void) => void
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const readCalls = (file: string): Call[] => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Call)
  } catch {
    return []
  }
}

export const startProvider = async (file: string): Promise<Provider> => {
  mkdirSync(dirname(file), { recursive: true })
  const calls = readCalls(file)
  const listeners: ((call: Call) => void)[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const key = String(request.headers['idempotency-key'])
    const status = calls.some((call) => call.key === key) ? 200 : 429
    const call = { key, body, status }
    calls.push(call)
    appendFileSync(file, `${JSON.stringify(call)}\n`)
    for (const listener of listeners) listener(call)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status === 200 ? JSON.stringify({ id: `msg_${key.slice(-6)}` }) : '"slow down"')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    onCall: (listener) => void listeners.push(listener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
