// Owns a local HTTP receiver: it writes down every call in the order it arrived, answers as the test tells it to, and
// counts as a provider that knows Idempotency-Key would: calls with one key are one effect.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Call {
  /** 1, 2, 3 … in the order of arrival. */
  readonly order: number
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly key: string
}

export interface Reply {
  readonly status: number
  readonly json?: unknown
}

/** A promise that is kept later delays the answer; one that is never kept hangs. */
export type Answer = (call: Call) => Reply | Promise<Reply>

export interface Receiver {
  readonly url: string
  readonly calls: readonly Call[]
  /** Distinct keys: what really happened at a provider that de-duplicates. */
  readonly effects: () => number
  readonly callsOf: (key: string) => readonly Call[]
  /** From the next call on. */
  readonly answer: (how: Answer) => void
  readonly close: () => Promise<void>
}

export const accepted: Answer = ({ order }) => ({ status: 200, json: { id: `msg_${order}` } })

export const openReceiver = async (): Promise<Receiver> => {
  const calls: Call[] = []
  let how = accepted
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const key = String(headers['idempotency-key'] ?? '')
    const call = { order: calls.length + 1, method, path, headers, body: Buffer.concat(chunks), key }
    calls.push(call)
    const { status, json = {} } = await how(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    effects: () => new Set(calls.map(({ key }) => key)).size,
    callsOf: (key) => calls.filter((call) => call.key === key),
    answer: (next) => {
      how = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers that wait until the test lets them go, each by itself or all. */
export const createGate = (): {
  readonly answer: Answer
  readonly waiting: () => number
  /** Lets the first so many go; all unless said. */
  readonly open: (count?: number) => readonly Call[]
} => {
  const held: { readonly call: Call; readonly go: () => void }[] = []
  return {
    answer: (call) =>
      new Promise((resolve) => {
        held.push({ call, go: () => resolve(accepted(call)) })
      }),
    waiting: () => held.length,
    open: (count = held.length) =>
      held.splice(0, count).map(({ call, go }) => {
        go()
        return call
      }),
  }
}
