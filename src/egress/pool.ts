// Owns kept-alive connections: one agent each for plain and TLS, a pool per (name, address, port), idle ones bounded in
// number and time. Agents never queue: Node would give a waiting request the options, and so the signal, of another.

import { Agent, type ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type Dial, dial } from './dial.ts'

/** Less than the 5 s after which Node's own servers hang up: a request must not meet a closing connection. */
const IDLE_MS = 4000
const MAX_IDLE_EACH = 8
const MAX_IDLE = 256

/** What a request passes through its agent to the connection. */
export interface PooledArgs extends ClientRequestArgs {
  readonly dialing: Omit<Dial, 'secure'>
}

export interface Pool {
  readonly agentFor: (isSecure: boolean) => Agent
  readonly close: () => void
}

const idleIn = (agent: Agent): number =>
  Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0)

const createAgent = (secure: () => SecureContext | undefined): Agent => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE_EACH, timeout: IDLE_MS })
  agent.getName = (options) => {
    const { host, address, port } = (options as PooledArgs).dialing
    return `${host.text} ${address.text} ${port}`
  }
  agent.createConnection = (options, created) => {
    dial({ ...(options as PooledArgs).dialing, secure: secure() }).then(
      (socket) => created?.(null, socket),
      (error: Error) => created?.(error, undefined as never),
    )
    return undefined
  }
  const keep = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket) => idleIn(agent) < MAX_IDLE && keep(socket as Socket)
  return agent
}

export const createPool = (secure: () => SecureContext): Pool => {
  const [plain, encrypted] = [createAgent(() => undefined), createAgent(secure)]
  return {
    agentFor: (isSecure) => (isSecure ? encrypted : plain),
    close: () => {
      plain.destroy()
      encrypted.destroy()
    },
  }
}
