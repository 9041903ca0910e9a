// Owns `Pawl.open`: from options to a running library. It alone knows concrete stores, the door and the secrets; the
// engine knows their ports.

import { type Environment, listOf, readEnvironment, readHost } from '../config/environment.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { parseInstant } from '../core/time/instant.ts'
import { parseWindow } from '../core/time/window.ts'
import type { EgressOptions } from '../egress/egress.ts'
import type { RetentionDays } from '../engine/chores.ts'
import { type Clock, createVirtualClock, realClock, type VirtualClock } from '../engine/clock.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { LogSink } from '../engine/log.ts'
import { type Chance, realChance } from '../engine/random.ts'
import { createVirtualTime } from '../engine/virtual-time.ts'
import type { BuiltInDeps } from '../runners/built-in.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { createSecrets } from '../secrets/secrets.ts'
import type { Tenancy } from '../store/store.ts'
import { VERSION } from '../version.ts'
import { compileStored, type Definition, knownOf } from './known.ts'
import { type OpenedStore, openStore } from './open-store.ts'
import { createPawl } from './pawl.ts'
import { createWorld, type World } from './reach.ts'
import type { Pawl, StopWorking } from './surface.ts'
import { withBuiltIns } from './with-built-ins.ts'

export interface PawlOptions {
  /** `sqlite:./pawl.db`, `sqlite::memory:` or `postgres://user@host/database`. */
  readonly store: string
  readonly definitions?: readonly Definition[]
  /** A runner of a built-in type takes its place. */
  readonly runners?: readonly AnyRunner[]
  /** Bring webhook and delay along, api_call where there are services, email where there is a provider. Default true. */
  readonly builtIns?: boolean
  /** Where api_call may speak to, by name. Default: PAWL_SERVICES__<NAME>__BASE_URL. */
  readonly services?: NonNullable<BuiltInDeps['services']>
  /** `sandbox`: built-in runners send nothing and keep what they would have sent. Default: PAWL_PROVIDERS. */
  readonly provider?: 'sandbox'
  /** Who sends mail. Default: PAWL_PROVIDERS__SMTP__… and PAWL_PROVIDERS__SENDGRID__… */
  readonly providers?: NonNullable<BuiltInDeps['providers']>
  /** Bodies of mail by name. */
  readonly templates?: NonNullable<BuiltInDeps['templates']>
  /** Default `default`, both. */
  readonly namespace?: string
  readonly tenant?: string
  /** `virtual:<instant>` stands still until `pawl.advance` moves it. Default: real time. */
  readonly clock?: string
  /** Bring an existing store of an older version up to date. */
  readonly migrate?: boolean
  /** Where runners may connect although it is private. Default: PAWL_EGRESS_ALLOW. */
  readonly egress?: EgressOptions
  readonly secrets?: {
    /** Default: the process's environment. */
    readonly env?: Environment
    readonly directory?: string
    readonly keys?: { readonly key?: string; readonly keys?: string }
  }
  /** Delivery windows by name. */
  readonly calendars?: Readonly<Record<string, JsonObject>>
  /** Default: warnings and errors to standard error. */
  readonly log?: LogSink
  readonly leaseMs?: number
  readonly drainMs?: number
  readonly retention?: RetentionDays
}

const toStandardError: LogSink = (level, message, fields) => {
  if (level === 'warn' || level === 'error')
    console.error(`pawl ${level}: ${message} ${JSON.stringify(fields)}`)
}

/** What a test kit puts in the place of the world; a program has no use for it. */
export interface Seams {
  /** Stands for what `clock` of the options names. */
  readonly clock?: VirtualClock
  readonly chance?: Chance
  readonly openStore?: typeof openStore
}

const clockOf = async (
  name: string | undefined,
  { keeper }: OpenedStore,
  given: VirtualClock | undefined,
): Promise<Clock | VirtualClock> => {
  if (given !== undefined) return resumed(given, keeper)
  if (name === undefined || name === 'real') return realClock
  const start = /^virtual:(.+)$/.exec(name)?.[1]
  if (start === undefined)
    throw new PawlError('invalid_option', `“${name.slice(0, 80)}” is no clock`, {
      path: 'clock',
      expected: 'real, or virtual:2026-01-01T00:00:00Z',
    })
  return resumed(createVirtualClock(parseInstant(start)), keeper)
}

const resumed = async (clock: VirtualClock, keeper: OpenedStore['keeper']): Promise<VirtualClock> => {
  const last = await keeper.virtualNow()
  if (last !== undefined) clock.set(last)
  return clock
}

const assertDistinct = (what: string, names: readonly string[]): void => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new PawlError('invalid_option', `there are two ${what} called “${twice}”`, {
      path: what,
      expected: 'one of each',
    })
}

export const open = (options: PawlOptions): Promise<Pawl> => openWith(options, {})

export const openWith = async (options: PawlOptions, seams: Seams): Promise<Pawl> => {
  const { definitions = [], runners = [], namespace = 'default', tenant = 'default', migrate } = options
  assertDistinct(
    'definitions',
    definitions.map(({ id }) => id),
  )
  assertDistinct(
    'runners',
    runners.map(({ type }) => type),
  )
  const env = options.secrets?.env ?? readEnvironment()
  const rawSink = options.log ?? toStandardError
  const opened = await (seams.openStore ?? openStore)(options.store, {
    ...(seams.chance && { random: seams.chance.nonce }),
    ...(migrate !== undefined && { migrate }),
    onWarning: (message) => rawSink('warn', message, {}),
  })
  try {
    const given = { ...options, definitions, runners }
    return await assemble({ options: given, seams, opened, env, sink: rawSink, of: { namespace, tenant } })
  } catch (error) {
    await opened.store.close()
    throw error
  }
}

/** What was opened before the engine, and whose it is. */
interface Opening {
  readonly options: PawlOptions & Required<Pick<PawlOptions, 'definitions' | 'runners'>>
  readonly seams: Seams
  readonly opened: OpenedStore
  readonly env: Environment
  readonly sink: LogSink
  readonly of: Tenancy
}

const openWorld = ({ options, opened, env, of }: Opening): World => {
  const { directory, keys } = options.secrets ?? {}
  const texts = keys ?? { key: env['PAWL_SECRETS_KEY'], keys: env['PAWL_SECRETS_KEYS'] }
  const secrets = createSecrets({
    env,
    ...(directory !== undefined && { directory }),
    keys: Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    vault: opened.vault,
    operators: [of],
    now: realClock.now,
  })
  return createWorld(secrets, options.egress ?? { allow: listOf(env['PAWL_EGRESS_ALLOW']) })
}

const openEngine = (
  { options, seams, opened }: Opening,
  runners: readonly AnyRunner[],
  world: World,
  sink: LogSink,
  clock: Clock,
): Engine => {
  const { definitions, calendars = {}, leaseMs, drainMs, retention } = options
  return createEngine({
    ...opened,
    definitions: definitions.map(knownOf),
    runners,
    compile: compileStored,
    reachOf: world.reachOf,
    clock,
    chance: seams.chance ?? realChance,
    sink,
    calendars: new Map(Object.entries(calendars).map(([name, data]) => [name, parseWindow(data)])),
    ...(leaseMs !== undefined && { leaseMs }),
    ...(drainMs !== undefined && { drainMs }),
    ...(retention !== undefined && { retention }),
    version: VERSION,
    host: readHost(),
  })
}

const assemble = async (opening: Opening): Promise<Pawl> => {
  const { options, seams, opened, of } = opening
  const world = openWorld(opening)
  const sink = world.cleaned(opening.sink)
  const clock = await clockOf(options.clock, opened, seams.clock)
  const runners = withBuiltIns(options, opening.env, world.egress)
  const engine = openEngine(opening, runners, world, sink, clock)
  await engine.starting.define(of)

  const stops = new Set<StopWorking>()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(stops, (stop) => stop()))
    await world.close()
    await opened.store.close()
  }
  const virtual = 'set' in clock ? virtualTime(engine, opened, clock, runners) : undefined
  const onWorking = (stop: StopWorking): void => void stops.add(stop)
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  return createPawl({ engine, opened, clock, virtual, onWorking, close: closeOnce }, of)
}

const virtualTime = (
  engine: Engine,
  { store, keeper }: OpenedStore,
  clock: VirtualClock,
  runners: readonly AnyRunner[],
) => {
  const types = new Set(runners.map(({ type }) => type))
  return createVirtualTime({
    clock,
    hands: engine.hands({}),
    store,
    keeper,
    underWay: engine.underWay,
    isOffered: (type) => types.has(type),
  })
}
