// A TCP proxy between a store and its server that can lose things on purpose: the reply to a COMMIT that was carried out,
// the COMMIT itself, or everything a transaction is answered from its beginning on. What is sent in one piece is a COMMIT, too.
// What is lost takes its connection with it, as a broken network does.

import { connect, createServer, type Socket } from 'node:net'

export type Loss = 'reply' | 'commit' | 'answers'

export interface Proxy {
  readonly url: string
  /** The next COMMIT is hit, once; or the next BEGIN. */
  readonly arm: (loss: Loss) => void
  /** How many were hit so far. */
  readonly hits: () => number
  readonly close: () => Promise<void>
}

/** The simple query `commit`, as the protocol frames it. */
const COMMIT = Buffer.from('commit\0')
/** What is committed in one piece calls one of these statements. */
const POSTS = ['signReceipt', 'signGuarded', 'signAlike'].map((name) => Buffer.from(`${name}\0`))
const BEGIN = Buffer.from('begin isolation level read committed\0')

/** BackendKeyData: who is behind the connection. A pooler sends a number of its own. */
const KEY = Buffer.from([0x4b, 0, 0, 0, 12])

const masked = (chunk: Buffer): Buffer => {
  const at = chunk.indexOf(KEY)
  if (at === -1) return chunk
  const copy = Buffer.from(chunk)
  copy.writeInt32BE(copy.readInt32BE(at + KEY.length) + 1, at + KEY.length)
  return copy
}

/** `isPooler`: it also hides who is behind it. */
export const startProxy = async (target: string, isPooler = false): Promise<Proxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let armed: Loss | undefined
  let hits = 0

  const pair = (client: Socket): void => {
    const server = connect(Number(port), hostname)
    let isDeaf = false
    const cut = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (chunk) => {
      const isHit =
        armed === 'answers' ? chunk.includes(BEGIN) : [COMMIT, ...POSTS].some((one) => chunk.includes(one))
      const loss = isHit ? armed : undefined
      if (loss !== undefined) {
        armed = undefined
        hits += 1
      }
      if (loss === 'commit') return cut()
      isDeaf ||= loss === 'reply' || loss === 'answers'
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (isDeaf) return cut()
      client.write(isPooler ? masked(chunk) : chunk)
    })
  }
  const listener = createServer(pair)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((listener.address() as { readonly port: number }).port)
  return {
    url: url.toString(),
    arm: (loss) => {
      armed = loss
    },
    hits: () => hits,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => listener.close(() => resolve()))
    },
  }
}
