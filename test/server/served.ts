// Owns a spawned `pawl serve` as a test sees it: where it listens, one request at a time, and its end. It is the program
// people start, flags of Node and all; what a test wants otherwise is said in variables.

import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ServedPart {
  readonly store: string
  readonly host?: string
  readonly clock?: string
  readonly work?: boolean
  readonly sandbox?: boolean
  readonly secretsKey?: string
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Sending {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of an answer that is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of it
  readonly json: any
}

export interface Served {
  readonly url: string
  readonly mode: 'local' | 'keys'
  readonly firstKey?: string
  readonly ask: (method: string, path: string, sending?: Sending) => Promise<Got>
  /** Asks to end, and waits; answers the exit code. */
  readonly end: () => Promise<number | null>
  readonly isAlive: () => boolean
  readonly log: () => string
}

const BIN = fileURLToPath(new URL('../../bin/pawl.mjs', import.meta.url))

const argsOf = ({ store, host, clock, work = false, sandbox = false }: ServedPart): readonly string[] => [
  ...['serve', '--jsonl', '--store', store, '--port', '0', '--role', work ? 'all' : 'server'],
  ...(host === undefined ? [] : ['--host', host]),
  ...(clock === undefined ? [] : ['--clock', clock]),
  ...(sandbox ? ['--sandbox'] : []),
]

/** Nothing of this machine's settings. */
const envOf = ({ secretsKey, env = {} }: ServedPart): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PAWL_|DATABASE_URL)/.test(name))),
  PAWL_EGRESS_ALLOW: '127.0.0.0/8',
  ...(secretsKey !== undefined && { PAWL_SECRETS_KEY: secretsKey }),
  ...env,
})

const firstLine = (child: ChildProcess, log: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${log()}`)))
  })

export const askAt = async (
  url: string,
  method: string,
  path: string,
  sending: Sending = {},
): Promise<Got> => {
  const { token, headers = {}, json, body } = sending
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body: body as string }),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

export const startServed = async (part: ServedPart): Promise<Served> => {
  const child = spawn(process.execPath, [BIN, ...argsOf(part)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: envOf(part),
    cwd: tmpdir(),
  })
  let written = ''
  child.stderr!.on('data', (chunk) => {
    written = (written + chunk).slice(-50_000)
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const { url, access: mode, firstKey } = JSON.parse(await firstLine(child, () => written))
  return {
    url,
    mode,
    ...(firstKey !== undefined && { firstKey }),
    ask: (method, path, sending) => askAt(url, method, path, sending),
    end: () => {
      child.kill('SIGTERM')
      return ended
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    log: () => written,
  }
}
