// Owns `Pawl.open`: from options to a running library. It alone knows concrete stores, the door and the secrets; the
// engine knows their ports.

import { type Environment, listOf, readEnvironment, readHost, readZoneRules } from '../config/environment.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { LimitOptions } from '../core/limit-settings.ts'
import { parseInstant } from '../core/time/instant.ts'
import { parseWindow } from '../core/time/window.ts'
import type { EgressOptions } from '../egress/egress.ts'
import type { Chore, RetentionDays } from '../engine/chores.ts'
import { type Clock, createVirtualClock, realClock, type VirtualClock } from '../engine/clock.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { FlowOptions } from '../engine/flow.ts'
import { createHealth, type Health } from '../engine/health.ts'
import { createLog, type LogSink } from '../engine/log.ts'
import { type Observer, observedStore, safely } from '../engine/observer.ts'
import { type Chance, realChance } from '../engine/random.ts'
import type { TriageOptions } from '../engine/triage.ts'
import { createVirtualTime } from '../engine/virtual-time.ts'
import type { BuiltInDeps } from '../runners/built-in.ts'
import type { Templates } from '../runners/email/templates.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { createSecrets, type Secrets } from '../secrets/secrets.ts'
import type { Office } from '../store/office.ts'
import type { Tenancy } from '../store/store.ts'
import { VERSION } from '../version.ts'
import { defineOwn } from './define.ts'
import { codedIn, compileStored, type Definition, isData, knownOf } from './known.ts'
import { knownData } from './known-recurrence.ts'
import { type OpenedStore, openStore } from './open-store.ts'
import { createDurableOutbox, type Latency } from './outbox.ts'
import { createPawl } from './pawl.ts'
import { createWorld, type World } from './reach.ts'
import { beginCoded } from './recurring-defined.ts'
import { createRecurrenceQuota, type RecurrenceOptions, type RecurrenceQuota } from './recurring-quota.ts'
import type { Coded } from './recurring-view.ts'
import { type RunnerRules, rulesOf } from './runner-rules.ts'
import type { Pawl, StopWorking } from './surface.ts'
import { tellLeftTasks } from './tasks.ts'
import { storedFirst } from './templates.ts'
import { followZones, mendOverdue, type WatchdogParts } from './watchdog.ts'
import { type TemplateSource, templatesOf, withBuiltIns } from './with-built-ins.ts'

export interface PawlOptions extends TriageOptions {
  /** `sqlite:./pawl.db`, `sqlite::memory:` or `postgres://user@host/database`. */
  readonly store: string
  readonly definitions?: readonly Definition[]
  /** A runner of a built-in type takes its place. */
  readonly runners?: readonly AnyRunner[]
  /**
   * Bring webhook, task and delay along, api_call where there are services, email where there is a provider, function
   * where there are functions. Default true.
   */
  readonly builtIns?: boolean
  /** Where api_call may speak to, by name. Default: PAWL_SERVICES__<NAME>__BASE_URL. */
  readonly services?: NonNullable<BuiltInDeps['services']>
  /** `sandbox`: built-in runners send nothing and keep what they would have sent. Default: PAWL_PROVIDERS. */
  readonly provider?: 'sandbox'
  /** Who sends mail. Default: PAWL_PROVIDERS__SMTP__… and PAWL_PROVIDERS__SENDGRID__… */
  readonly providers?: NonNullable<BuiltInDeps['providers']>
  /** Bodies of mail: a folder of Liquid files, or a record by name. Default: the folder PAWL_TEMPLATES names. */
  readonly templates?: TemplateSource
  /** What actions of type `function` may name. */
  readonly functions?: NonNullable<BuiltInDeps['functions']>
  /** What one action of a type costs, in whatever unit you count; for email and api_call see their providers. */
  readonly costs?: NonNullable<BuiltInDeps['costs']>
  /** How long the sandbox pretends to take: 0 unless given, `realistic` is about what such services take. */
  readonly sandbox?: { readonly latency?: Latency }
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
    /** Where secrets of the environment and of files may be sent, by name. Default: PAWL_SECRET_<NAME>_HOSTS. */
    readonly hosts?: Readonly<Record<string, readonly string[]>>
    readonly keys?: { readonly key?: string; readonly keys?: string }
  }
  /** Delivery windows by name. */
  readonly calendars?: Readonly<Record<string, JsonObject>>
  /** Default: warnings and errors to standard error. */
  readonly log?: LogSink
  readonly leaseMs?: number
  readonly drainMs?: number
  /** How work flows through this process; for tests that want to see it both ways. */
  readonly flow?: FlowOptions
  /** Rates, places, quotas, bulkheads and breakers per runner type; `*` for every type. */
  readonly limits?: LimitOptions
  /** Whether this process has to do with recurrences, and what a tenant may have of them. */
  readonly recurrences?: RecurrenceOptions
  readonly retention?: RetentionDays
  /** Watches the engine at work: metrics and traces are made of it. */
  readonly observer?: Observer
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
  /** Stands for the rules of time zones of this process. */
  readonly zoneRules?: string
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

export const openWith = async (options: PawlOptions, seams: Seams): Promise<Pawl> =>
  (await openPartsWith(options, seams)).pawl

/** The library, and what a server over it needs beside it. */
export interface OpenedPawl {
  readonly pawl: Pawl
  readonly office: Office
  /** Its clock stands still until it is moved. */
  readonly isVirtual: boolean
}

/** The store itself too, to look at: metrics read what there is right now. */
export interface OpenedParts extends OpenedPawl {
  readonly ports: OpenedStore
}

export const openParts = (options: PawlOptions): Promise<OpenedParts> => openPartsWith(options, {})

const openPartsWith = async (options: PawlOptions, seams: Seams): Promise<OpenedParts> => {
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

const openSecrets = ({ options, opened, env, of }: Opening): Secrets => {
  const { directory, hosts, keys } = options.secrets ?? {}
  const texts = keys ?? { key: env['PAWL_SECRETS_KEY'], keys: env['PAWL_SECRETS_KEYS'] }
  return createSecrets({
    env,
    ...(directory !== undefined && { directory }),
    ...(hosts !== undefined && { hosts }),
    keys: Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    vault: opened.vault,
    operators: [of],
    now: realClock.now,
  })
}

const openWorld = ({ options, env }: Opening, secrets: Secrets): World =>
  createWorld(
    secrets,
    options.egress ?? { allow: listOf(env['PAWL_EGRESS_ALLOW']) },
    options.observer && safely(options.observer).outgoing,
  )

/** What works in this process, whoever asks for it. */
interface Staff {
  readonly runners: readonly AnyRunner[]
  readonly rules: RunnerRules
  readonly measuring: Health
  /** Templates of the program's own. */
  readonly mails: Templates | undefined
  readonly world: World
  readonly sink: LogSink
  readonly clock: Clock
}

const openEngine = (opening: Opening, staff: Staff): Engine => {
  const { options, seams, opened } = opening
  const { runners, rules, measuring, world, sink, clock } = staff
  const { definitions, calendars = {}, leaseMs, drainMs, flow, retention } = options
  const observer = options.observer && safely(options.observer)
  // What a process does not know it leaves to others: their timers wait in the inbox.
  const isOff = options.recurrences?.enabled === false
  const overdue: Chore = ['recurrences', WATCH_MS, () => mendOverdue(watchdog(opening, staff, engine))]
  const engine: Engine = createEngine({
    ...opened,
    ...(observer && { observer, store: observedStore(opened.store, observer, clock) }),
    definitions: [
      ...definitions.flatMap((each) =>
        isData(each) || (isOff && each.kind === 'recurrence') ? [] : knownOf(each, rules.defaultsOf),
      ),
      ...(isOff ? [] : [knownData(rules.defaultsOf)]),
    ],
    runners,
    compile: (stored) => compileStored(stored, rules.defaultsOf),
    reachOf: world.reachOf,
    clean: world.clean,
    clock,
    chance: seams.chance ?? realChance,
    sink,
    calendars: new Map(Object.entries(calendars).map(([name, data]) => [name, parseWindow(data)])),
    ...(leaseMs !== undefined && { leaseMs }),
    ...(drainMs !== undefined && { drainMs }),
    ...(flow !== undefined && { flow }),
    ...(options.limits !== undefined && { typeLimits: options.limits }),
    ...(retention !== undefined && { retention }),
    ...(options.alerts !== undefined && { alerts: options.alerts }),
    ...(options.deadLetters !== undefined && { deadLetters: options.deadLetters }),
    onSettled: measuring.record,
    timersOf: opened.office.agenda.timersOf,
    chores: [
      ...(isOff ? [] : [overdue]),
      ['tasks', TELL_MS, () => tellLeftTasks({ tasks: opened.tasks, tell: engine.advancing.tell, clock })],
    ],
    version: VERSION,
    host: readHost(),
  })
  return engine
}

const watchdog = ({ options, opened }: Opening, { clock, sink }: Staff, engine: Engine): WatchdogParts => ({
  keeper: opened.keeper,
  engine,
  coded: codedIn(options.definitions),
  clock,
  log: createLog(sink),
})

/** How often recurrences that should have fired are looked for. */
const WATCH_MS = 60_000
/** How often tasks are looked for that are done and of which nobody was told. */
const TELL_MS = 10_000

const openStaff = (
  { options, seams, opened, env, sink: raw }: Opening,
  world: World,
  clock: Clock,
): Staff => {
  const sink = world.cleaned(raw)
  const { nonce } = seams.chance ?? realChance
  const outbox = createDurableOutbox(opened.outbox, clock.timers, options.sandbox?.latency)
  const { egress } = world
  const source = options.templates ?? env['PAWL_TEMPLATES']
  const mails = source === undefined ? undefined : templatesOf(source)
  const templates = storedFirst(opened.templates, mails)
  const runners = withBuiltIns(options, env, { egress, outbox, templates, addTask: opened.tasks.add })
  const measuring = createHealth({ store: opened.health, writer: nonce(), clock, log: createLog(sink) })
  return { runners, rules: rulesOf(runners), measuring, mails, world, sink, clock }
}

/** Recurrences that the program brings along, in code and as data; then all of them by the zones of this machine. */
const beginOwn = async (
  opening: Opening,
  staff: Staff,
  engine: Engine,
  { coded, quota }: { readonly coded: Coded; readonly quota: RecurrenceQuota },
): Promise<void> => {
  const { options, opened, of, seams } = opening
  const { clock, rules, sink } = staff
  if (options.recurrences?.enabled === false) return
  for (const code of coded.values()) await beginCoded({ engine }, of, code)
  for (const own of options.definitions.filter(isData))
    if (!(await defineOwn({ engine, opened, clock, rules, quota }, of, own)))
      sink('warn', 'a recurrence is left as it is: a newer version has followed, or a person removed it', {
        definition: own.id,
      })
  await followZones(watchdog(opening, staff, engine), seams.zoneRules ?? readZoneRules())
}

const assemble = async (opening: Opening): Promise<OpenedParts> => {
  const { options, seams, opened, of } = opening
  const secrets = openSecrets(opening)
  const world = openWorld(opening, secrets)
  const clock = await clockOf(options.clock, opened, seams.clock)
  const staff = openStaff(opening, world, clock)
  const { runners, rules, measuring, mails } = staff
  for (const definition of options.definitions) if ('data' in definition) rules.assertFits(definition.data)
  const engine = openEngine(opening, staff)
  await engine.starting.define(of)
  const coded = codedIn(options.definitions)
  const quota = createRecurrenceQuota(opened.reader, clock, options.recurrences)
  await beginOwn(opening, staff, engine, { coded, quota })

  const stops = new Set<StopWorking>()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(stops, (stop) => stop()))
    await world.close()
    await measuring.close().catch(() => undefined)
    await opened.store.close()
  }
  const virtual = 'set' in clock ? virtualTime(engine, opened, clock, runners) : undefined
  const onWorking = (stop: StopWorking): void => void stops.add(stop)
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  const { nonce } = seams.chance ?? realChance
  const parts = {
    engine,
    opened,
    clock,
    rules,
    quota,
    measuring,
    mails,
    coded,
    nonce,
    secrets,
    virtual,
    onWorking,
    close: closeOnce,
  }
  const pawl = createPawl(parts, of)
  return { pawl, office: opened.office, isVirtual: virtual !== undefined, ports: opened }
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
