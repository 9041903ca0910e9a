// Owns waking: listeners hear of this process's own commits at once, and of other processes' through LISTEN on a
// connection of its own, which is opened again whenever it is lost. Notices are sent after the commit, the first at once and
// what comes in the milliseconds behind it together: one for each commit was a tenth of the server's time when actions are
// enqueued one by one. One that is lost is made good by the scan.

import type { Client } from 'pg'
import type { Store, Wake } from '../store.ts'
import type { Timers } from '../timers.ts'
import type { News } from './commit.ts'
import type { Statements } from './statements.ts'

export interface Watch {
  readonly listen: Store['wake']
  readonly tell: (news: readonly News[]) => void
  readonly close: () => Promise<void>
}

export interface WatchOptions {
  /** A new client, not yet connected; undefined where nothing can be heard (behind a pooler). */
  readonly connect: (() => Client) | undefined
  readonly sql: Statements
  readonly timers: Timers
  /** A number in [0, 1). */
  readonly jitter: () => number
  /** This process, among those that notify. */
  readonly origin: string
  /** A listener that throws, a connection that is lost: nobody else is to suffer for it. */
  readonly onWarning: (message: string) => void
}

const CHANNEL = 'pawl'
/** PostgreSQL's limit is 8,000 bytes. */
const MAX_PAYLOAD = 7900
const FIRST_MS = 50
const LAST_MS = 5000
const PING_MS = 30_000
/** Between two notices: the first goes at once, what comes soon after it goes together. */
const PACE_MS = 5

const merge = (news: readonly News[]): News => ({
  lanes: [...new Set(news.flatMap(({ lanes }) => lanes))],
  timers: news.some(({ timers }) => timers),
  inbox: news.some(({ inbox }) => inbox),
  all: news.some(({ all }) => all),
})

const isNothing = ({ lanes, timers, inbox, all }: News): boolean =>
  lanes.length === 0 && !timers && !inbox && !all

/** `origin;lanes;flags`. An empty origin is nobody's: a notice in the caller's own transaction concerns all. */
export const payloadOf = (origin: string, { lanes, timers, inbox, all }: News): string => {
  const list = lanes.join(',')
  const which = all || list.length > MAX_PAYLOAD - origin.length ? 'all' : list
  return `${origin};${which};${timers || all ? 't' : ''}${inbox || all ? 'i' : ''}`
}

const readPayload = (payload: string): { readonly origin: string; readonly news: News } => {
  const [origin = '', which = 'all', flags = 'ti'] = payload.split(';')
  const lanes = which === 'all' ? [] : which.split(',').filter(Boolean).map(Number)
  const [timers, inbox] = [flags.includes('t'), flags.includes('i')]
  return { origin, news: { lanes, timers, inbox, all: which === 'all' } }
}

const EVERYTHING: News = { lanes: [], timers: true, inbox: true, all: true }

export const createWatch = (options: WatchOptions): Watch => {
  const { sql, origin, onWarning } = options
  const listeners = new Set<(wake: Wake) => void>()
  const notifier = createNotifier(options)
  let stopEar: (() => Promise<void>) | undefined

  const hear = (wake: Wake): void => {
    for (const listener of [...listeners])
      try {
        listener(wake)
      } catch (error) {
        onWarning(`a wake listener failed: ${String(error)}`)
      }
  }
  const spread = async ({ all, ...wake }: News): Promise<void> => {
    if (!all) return hear(wake)
    const { rows } = await sql.allLanes<{ lane: number }>()
    hear({ lanes: rows.map(({ lane }) => lane), timers: true, inbox: true })
  }
  const spreadSafely = (news: News): void => {
    if (listeners.size > 0 && !isNothing(news))
      spread(news).catch((error) => onWarning(`lanes could not be read: ${String(error)}`))
  }
  const listen: Watch['listen'] = (listener) => {
    listeners.add(listener)
    stopEar ??= openEar(options, (payload) => {
      const heard = payload === undefined ? { origin: '', news: EVERYTHING } : readPayload(payload)
      if (heard.origin !== origin) spreadSafely(heard.news)
    })
    return () => listeners.delete(listener)
  }
  return {
    listen,
    tell: (parts) => {
      const news = merge(parts)
      if (isNothing(news)) return
      spreadSafely(news)
      notifier.send(news)
    },
    close: async () => {
      listeners.clear()
      await stopEar?.()
      await notifier.close()
    },
  }
}

const createNotifier = ({ sql, origin, timers }: WatchOptions) => {
  let waiting: News[] = []
  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const news = merge(waiting)
      waiting = []
      // The scan of each process finds what a lost notice would have told.
      await sql.notify({ payload: payloadOf(origin, news) }).catch(() => undefined)
      await timers.sleep(PACE_MS)
    }
    working = undefined
  }
  return {
    send: (news: News): void => {
      waiting.push(news)
      working ??= Promise.resolve().then(work)
    },
    close: async (): Promise<void> => {
      await working
    },
  }
}

/** Listens until it is stopped, whatever happens to its connections. A payload of undefined: some may have been missed. */
const openEar = (options: WatchOptions, onNotice: (payload: string | undefined) => void) => {
  const { connect, timers, jitter, onWarning } = options
  let client: Client | undefined
  let isStopped = connect === undefined
  let pause = FIRST_MS

  const attend = async (open: () => Client): Promise<void> => {
    const current = open()
    client = current
    const isOver = new Promise<void>((resolve) => {
      current.on('end', resolve)
      current.on('error', () => resolve())
    })
    current.on('notification', ({ payload }) => onNotice(payload ?? ''))
    await current.connect()
    await current.query(`listen ${CHANNEL}`)
    pause = FIRST_MS
    // A connection that died without a word is noticed when it is asked.
    const stopPings = timers.every(PING_MS, () => current.query('select 1').catch(() => current.end()))
    await isOver
    stopPings()
  }
  const live = async (open: () => Client): Promise<void> => {
    while (!isStopped) {
      await attend(open).catch((error) => onWarning(`LISTEN failed: ${String(error)}`))
      client?.end().catch(() => undefined)
      if (isStopped) return
      await timers.sleep(pause * (0.5 + jitter()))
      pause = Math.min(pause * 2, LAST_MS)
      onNotice(undefined)
    }
  }
  const living = connect === undefined ? Promise.resolve() : live(connect)
  return async (): Promise<void> => {
    isStopped = true
    await client?.end().catch(() => undefined)
    const patience = Promise.withResolvers<void>()
    // Not a sleep: a process that has nothing else to do must not stay for it.
    const stopPatience = timers.every(LAST_MS, patience.resolve)
    await Promise.race([living, patience.promise])
    stopPatience()
  }
}
