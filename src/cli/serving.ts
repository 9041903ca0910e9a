// Owns the process of `pawl serve`: the server and a worker, or one of them. What it says first is where to look and what to
// try; on the way out it stops taking work, lets what runs finish and closes.

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realClock } from '../engine/clock.ts'
import { createStateReader } from '../observe/state.ts'
import type { StopWorking } from '../pawl/surface.ts'
import { type RunningServer, type ServerLimits, startServer } from '../server/start.ts'
import { VERSION } from '../version.ts'
import { setting, storeOf } from './given.ts'
import { stayAlive, untilAsked } from './lifetime.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'
import { openWorking } from './working.ts'

type Opened = Awaited<ReturnType<typeof openWorking>>

const serverLimits = (session: Session): ServerLimits => {
  const get = (key: string): number => setting<number>(session, `server.${key}`)!
  return {
    requestsPerSecond: get('requestsPerSecond'),
    requestBurst: get('requestBurst'),
    failuresPerMinute: get('failuresPerMinute'),
    streamsPerKey: get('streamsPerKey'),
    heartbeatMs: get('heartbeat'),
    bodyBytes: get('bodyBytes'),
    headersMs: get('headersTimeout'),
    requestMs: get('requestTimeout'),
    connections: get('connections'),
  }
}

const listen = (session: Session, { opened, observing }: Opened): Promise<RunningServer> => {
  const { metrics, sinkOf } = observing
  metrics.watch(createStateReader(opened.ports, realClock))
  const hosts = session.options['hosts'] as string | undefined
  return startServer({
    ...opened,
    host: setting<string>(session, 'host')!,
    port: setting<number>(session, 'port')!,
    ...(hosts !== undefined && { hosts: hosts.split(',') }),
    limits: serverLimits(session),
    log: sinkOf('http'),
    metrics: metrics.text,
    answered: metrics.answered,
    version: VERSION,
  })
}

/** What to copy first: a line that works as it stands. */
const tryLine = (url: string, [name]: readonly string[]): string =>
  name === undefined
    ? `curl ${url}/v1/definitions`
    : `curl -X POST ${url}/v1/executions -H 'content-type: application/json' -d '{"definition":"${name}"}'`

/** Where it is, for people and, when they ask for it, for programs. */
const greet = (
  session: Session,
  { url, mode, firstKey }: RunningServer,
  { names, machines }: Pick<Opened, 'names' | 'machines'>,
  role: string,
): void => {
  const { terminal, output } = session
  output.one({ url, access: mode, role, definitions: names, ...(firstKey && { firstKey }) }, () => [])
  const rows: readonly (readonly [string, string])[] = [
    ['API', `${url}/v1       docs: ${url}/v1/docs`],
    ['Health', `${url}/readyz    metrics: ${url}/metrics`],
    [
      'Data',
      shownStore(storeOf(session)) +
        (storeOf(session).endsWith(':memory:') ? '   gone with this process' : '   kept'),
    ],
    ['Role', role === 'all' ? 'server and worker' : role],
    [
      'Definitions',
      names.length === 0 ? 'none yet: pawl apply, or --definitions <directory>' : names.join(', '),
    ],
    ['Access', mode === 'local' ? 'local: no key needed on this machine' : 'by key'],
    ...(firstKey === undefined ? [] : [['First key', `${firstKey}   (admin; shown this once)`] as const]),
    ['Try', tryLine(url, machines)],
  ]
  terminal.say(`\n  ${terminal.style('bold', `pawl ${VERSION}`)}\n`)
  for (const [name, text] of rows) terminal.say(`  ${name.padEnd(12)} ${text}`)
  terminal.say(
    '\n  Ctrl-C lets what runs finish; again ends at once. Nothing is lost, nothing is sent twice.\n',
  )
}

const OWN_STORE = '.pawl/pawl.db'

/** Without a store it keeps its own, in a folder beside what it is started from: nothing to configure. */
const withStore = (session: Session): Session => {
  if (session.settings.has('store')) return session
  mkdirSync(dirname(join(session.cwd, OWN_STORE)), { recursive: true })
  const store = { value: `sqlite:${OWN_STORE}`, source: 'default' }
  return { ...session, settings: new Map([...session.settings, ['store', store]]) }
}

export const serve = async (given: Session): Promise<void> => {
  const session = withStore(given)
  const { terminal } = session
  const role = setting<string>(session, 'role')!
  const asked = untilAsked()
  const parts = await openWorking(session)
  const { pawl } = parts.opened
  const release = stayAlive()
  let stop: StopWorking | undefined
  let server: RunningServer | undefined
  try {
    if (role !== 'server') stop = await pawl.work({ slots: setting<number>(session, 'slots')! })
    if (role !== 'worker') server = await listen(session, parts)
    if (server === undefined) terminal.say(`working on ${shownStore(storeOf(session))}`)
    else greet(session, server, parts, role)
    await asked
    terminal.say('draining: what runs may finish, nothing new begins')
    server?.drain()
    await stop?.()
  } finally {
    await server?.close()
    await pawl.close()
    release()
  }
}
