// Owns the limits an operator sets per runner type, as they are written and as they are used, and which limits hold for
// one action: its own (`limit`) and its type's.

import type { ActionPlan, OnFull } from './action.ts'
import { BREAKER_DEFAULTS, type BreakerSettings } from './breaker.ts'
import { PawlError } from './errors.ts'
import { isObject } from './json.ts'
import { parseQuota, type Quota } from './limit-quota.ts'
import { parseRate, type Rate } from './limit-rate.ts'
import { nearest } from './suggest.ts'
import { checkTemplate } from './template/check.ts'
import { renderText } from './template/render.ts'
import { durationMs } from './time/duration.ts'

/** Durations are text or milliseconds; what is left out has a default. */
export interface BreakerInput {
  readonly failures?: number
  readonly ratio?: number
  readonly window?: string | number
  readonly coolDown?: string | number
  readonly probes?: number
}

/** What holds for all actions of a runner type. */
export interface TypeLimits {
  /** `10/s`, `100/m`, `1000/h`, `5/d`. */
  readonly rate?: string
  /** At most this many at a time, over all processes. */
  readonly concurrency?: number
  /** `1000/day` or `50000/month`. */
  readonly quota?: string
  /** Whose days and months the quota counts. Default UTC. */
  readonly zone?: string
  /** A template over `config` and `metadata`, such as `{{config.service}}`: each value has the rate, … for itself. */
  readonly key?: string
  /** Does each tenant have the rate, the concurrency and the quota for itself? Default: `store`, all share them. */
  readonly per?: 'tenant' | 'store'
  readonly onFull?: OnFull
  /** At most this many at a time in one process: what is slow leaves slots to the others. */
  readonly bulkhead?: number
  /** A provider that fails too often is left alone for a while. `true`: as the defaults say. */
  readonly breaker?: boolean | BreakerInput
}

/** By runner type; `*` is for every type, and an entry of its own overrules what it names. */
export type LimitOptions = Readonly<Record<string, TypeLimits>>

export interface TypeSettings {
  readonly rate?: Rate
  readonly concurrency?: number
  readonly quota?: Quota
  readonly key?: string
  readonly isPerTenant: boolean
  readonly onFull: OnFull
  readonly bulkhead?: number
  readonly breaker?: BreakerSettings
}

export interface SettingsOf {
  (type: string): TypeSettings
  /** Does any type have a bulkhead? */
  readonly hasBulkheads: boolean
}

/** A limit that holds for one action. */
export interface Applied {
  /** Unique in its scope, and told from keys of the other kind. */
  readonly key: string
  /** As people know it. */
  readonly name: string
  readonly isPerTenant: boolean
  readonly onFull: OnFull
  readonly rate?: Rate
  readonly concurrency?: number
  readonly quota?: Quota
}

const FIELDS = [
  'rate',
  'concurrency',
  'quota',
  'zone',
  'key',
  'per',
  'onFull',
  'bulkhead',
  'breaker',
] as const
const BREAKER_FIELDS = ['failures', 'ratio', 'window', 'coolDown', 'probes'] as const
const ON_FULL: readonly OnFull[] = ['wait', 'drop', 'cancel_oldest']
const MAX_COUNT = 1_000_000
/** What a key may be made of, and how much of it tells limits apart. */
const KEY_NAMES = ['config', 'metadata']
const MAX_KEY = 200

const refuse = (path: string, value: unknown, expected: string, suggestion?: string): never => {
  const shown = isObject(value) || Array.isArray(value) ? 'this' : `“${String(value).slice(0, 80)}”`
  throw new PawlError('invalid_option', `${path} cannot be ${shown}`, {
    path,
    expected,
    ...(suggestion !== undefined && { suggestion }),
  })
}

const assertFields = (value: unknown, known: readonly string[], path: string): void => {
  if (!isObject(value)) refuse(path, value, `an object with ${known.join(', ')}`)
  const unknown = Object.keys(value as object).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const suggestion = nearest(unknown, known)
  throw new PawlError('invalid_option', `${path}.${unknown} is not a setting of limits`, {
    path: `${path}.${unknown}`,
    expected: `one of ${known.join(', ')}`,
    ...(suggestion !== undefined && { suggestion }),
  })
}

const whole = (value: number, path: string): number =>
  Number.isInteger(value) && value >= 1 && value <= MAX_COUNT
    ? value
    : refuse(path, value, `a whole number from 1 to ${MAX_COUNT}`)

const oneOf = <Word extends string>(value: Word, words: readonly Word[], path: string): Word =>
  words.includes(value)
    ? value
    : refuse(path, value, `one of ${words.join(', ')}`, nearest(String(value), words))

const rateOf = (value: string, path: string): Rate =>
  typeof value === 'string' ? parseRate(value, path) : refuse(path, value, 'a rate such as 10/s')

const keyTemplateOf = (value: string, path: string): string => {
  if (typeof value !== 'string' || value === '') refuse(path, value, 'a template such as {{config.service}}')
  const [problem] = checkTemplate(value, KEY_NAMES)
  if (problem === undefined) return value
  throw new PawlError('invalid_option', `${path}: ${problem.message}`, {
    path,
    expected: `a template over ${KEY_NAMES.join(' and ')}`,
    ...(problem.suggestion !== undefined && { suggestion: problem.suggestion }),
  })
}

const breakerOf = (input: boolean | BreakerInput, path: string): BreakerSettings | undefined => {
  if (typeof input === 'boolean') return input ? BREAKER_DEFAULTS : undefined
  assertFields(input, BREAKER_FIELDS, path)
  const { failures, ratio, window, coolDown, probes } = input
  if (ratio !== undefined && !(ratio >= 0 && ratio <= 1))
    refuse(`${path}.ratio`, ratio, 'a number from 0 to 1')
  return {
    ...BREAKER_DEFAULTS,
    ...(failures !== undefined && { failures: whole(failures, `${path}.failures`) }),
    ...(ratio !== undefined && { ratio }),
    ...(window !== undefined && { windowMs: durationMs(window, `${path}.window`) }),
    ...(coolDown !== undefined && { coolDownMs: durationMs(coolDown, `${path}.coolDown`) }),
    ...(probes !== undefined && { probes: whole(probes, `${path}.probes`) }),
  }
}

const settingsFrom = (input: TypeLimits, path: string): TypeSettings => {
  const {
    rate,
    concurrency,
    quota,
    zone,
    key,
    per = 'store',
    onFull = 'wait',
    bulkhead,
    breaker = false,
  } = input
  const trips = breakerOf(breaker, `${path}.breaker`)
  return {
    isPerTenant: oneOf(per, ['tenant', 'store'], `${path}.per`) === 'tenant',
    onFull: oneOf(onFull, ON_FULL, `${path}.onFull`),
    ...(rate !== undefined && { rate: rateOf(rate, `${path}.rate`) }),
    ...(concurrency !== undefined && { concurrency: whole(concurrency, `${path}.concurrency`) }),
    ...(quota !== undefined && { quota: parseQuota(quota, zone, `${path}.quota`) }),
    ...(key !== undefined && { key: keyTemplateOf(key, `${path}.key`) }),
    ...(bulkhead !== undefined && { bulkhead: whole(bulkhead, `${path}.bulkhead`) }),
    ...(trips !== undefined && { breaker: trips }),
  }
}

const NONE: TypeSettings = { isPerTenant: false, onFull: 'wait' }

/** Refuses nonsense, with the path to it. */
export const parseLimits = (options: LimitOptions): SettingsOf => {
  for (const [type, input] of Object.entries(options)) assertFields(input, FIELDS, `limits.${type}`)
  const rest = options['*'] ?? {}
  const byType = new Map(
    Object.entries(options).map(([type, input]) => [
      type,
      settingsFrom({ ...rest, ...input }, `limits.${type}`),
    ]),
  )
  const forRest = byType.get('*') ?? NONE
  const hasBulkheads = [...byType.values()].some(({ bulkhead }) => bulkhead !== undefined)
  return Object.assign((type: string) => byType.get(type) ?? forRest, { hasBulkheads })
}

/** Everything that holds for this action, its own first. */
export const limitsOn = (plan: ActionPlan, settings: TypeSettings): readonly Applied[] => {
  const { rate, concurrency, quota, isPerTenant, onFull } = settings
  const { limit } = plan
  const isLimited = rate !== undefined || concurrency !== undefined || quota !== undefined
  const name = isLimited ? nameOf(plan, settings) : ''
  return [
    ...(limit ? [ownLimit(limit)] : []),
    ...(isLimited
      ? [
          {
            key: `type:${name}`,
            name,
            isPerTenant,
            onFull,
            ...(rate && { rate }),
            ...(concurrency !== undefined && { concurrency }),
            ...(quota && { quota }),
          },
        ]
      : []),
  ]
}

/** Those that have no value share one limit: a limit never fails an action. */
const nameOf = ({ type, config, metadata }: ActionPlan, { key }: TypeSettings): string => {
  if (key === undefined) return type
  try {
    return `${type}/${renderText(key, { config, metadata }).slice(0, MAX_KEY).toWellFormed()}`
  } catch {
    return `${type}/`
  }
}

const ownLimit = (limit: NonNullable<ActionPlan['limit']>): Applied => ({
  key: `key:${limit.key}`,
  name: limit.key,
  isPerTenant: true,
  onFull: limit.onFull ?? 'wait',
  ...(limit.rate !== undefined && { rate: rateOf(limit.rate, 'limit.rate') }),
  ...(limit.concurrency !== undefined && { concurrency: whole(limit.concurrency, 'limit.concurrency') }),
})
