// Owns the way from settings to the options of `Pawl.open`: one line for each, so that every command opens a store alike.

import type { JsonObject } from '../core/json.ts'
import type { PawlOptions } from '../pawl/open.ts'
import { type Given, setting, storeOf } from './given.ts'
import { type ReadDefinitions, readDefinitions } from './read-definitions.ts'

/** Of the directory that the settings name, if they name one. */
export const ownDefinitions = async (session: Given): Promise<ReadDefinitions | undefined> => {
  const directory = setting<string>(session, 'definitions')
  return directory === undefined ? undefined : readDefinitions([directory], session.cwd)
}

const withKeys = <Options extends object>(options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options

export const openOptions = (session: Given, read?: ReadDefinitions): PawlOptions => {
  const { code, env, sections, flow } = session
  const get = <Value extends string | number | boolean>(key: string): Value | undefined =>
    setting<Value>(session, key)
  const [key, keys] = [get<string>('secrets.key'), get<string>('secrets.keys')]
  const directory = get<string>('secrets.directory')
  return withKeys({
    store: storeOf(session),
    definitions: [...code.definitions, ...(read?.parsed ?? []), ...(read?.coded ?? [])],
    runners: [...code.runners, ...(read?.runners ?? [])],
    namespace: get<string>('namespace'),
    tenant: get<string>('tenant'),
    clock: get<string>('clock'),
    migrate: get<boolean>('migrate'),
    leaseMs: get<number>('lease'),
    drainMs: get<number>('drain'),
    retention: {
      done: get<number>('retention.done')!,
      events: get<number>('retention.events')!,
      inbox: get<number>('retention.inbox')!,
    },
    recurrences: {
      enabled: get<boolean>('background.enable_recurring_actions')!,
      max: get<number>('recurrences.max')!,
      minInterval: get<number>('recurrences.minInterval')!,
    },
    egress: { allow: setting<readonly string[]>(session, 'egress.allow') ?? [] },
    secrets: { env, keys: withKeys({ key, keys }), ...(directory !== undefined && { directory }) },
    limits: flow.limits,
    alerts: Array.isArray(flow.alerts) ? { channels: flow.alerts } : flow.alerts,
    calendars: sections['calendars'] as Readonly<Record<string, JsonObject>> | undefined,
  }) as PawlOptions
}
