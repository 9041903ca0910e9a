// Owns a recurrence written as data, over HTTP or in a file: its settings in one shape, read into the rule and the request
// that `decide` works with. Settings that are no rule are refused with the place that is wrong.

import type { ActionRequest } from '../action.ts'
import type { RequestData } from '../definition.ts'
import { PawlError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { parseCron } from '../time/cron/parse.ts'
import { cronSchedule } from '../time/cron/schedule.ts'
import { assertMinInterval } from '../time/cron/spacing.ts'
import type { Dst } from '../time/dst.ts'
import { durationMs } from '../time/duration.ts'
import { parseInstant } from '../time/instant.ts'
import type { Misfire } from './occurrences.ts'
import type { OverlapOfRuns, Recurrence, Rule } from './recurrence-run.ts'

/** As it is kept. Everything but cron, timezone and do has a default. */
export interface RecurrenceSettings {
  readonly cron: string
  readonly timezone: string
  readonly do: RequestData
  readonly dst?: Partial<Dst>
  readonly misfire?: Misfire
  readonly overlap?: OverlapOfRuns
  /** An occurrence is late up to here, then it was missed. */
  readonly grace?: string | number
  readonly jitter?: string | number
  readonly endsAt?: string | number
  readonly maxExecutions?: number
  readonly pauseAfterFailures?: number
  readonly description?: string
  readonly labels?: Readonly<Record<string, string>>
  /** The content it was defined by, as a hash; absent of one that people made and may change. */
  readonly definition?: string
  /** Taken away by a person; defined again, it goes on. */
  readonly removed?: true
}

/** As it stands in a file: what to do is called `action`, and may bring its key in one word. */
export interface RecurrenceData extends Omit<RecurrenceSettings, 'do' | 'definition' | 'removed'> {
  readonly kind: 'recurrence'
  readonly id: string
  readonly enabled?: boolean
  /** Another word for `misfire`, `none` being `skip`. */
  readonly catchUp?: CatchUp
  readonly action: RequestData & { readonly dedupKey?: string }
}

export type CatchUp = 'none' | 'latest' | 'all'

const DEFAULT_GRACE_MS = 60_000
export const MIN_INTERVAL_MS = 1000

const whole = (value: Json | undefined, path: string): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new PawlError('invalid_option', `${path} must be a whole number above 0`, { path })
}

const oneOf = <Word extends string>(value: Word | undefined, words: readonly Word[], path: string): Word => {
  if (value === undefined) return words[0]!
  if (words.includes(value)) return value
  throw new PawlError('invalid_option', `${path} cannot be “${String(value).slice(0, 80)}”`, {
    path,
    expected: words.join(', '),
  })
}

/** The first word of each list is what holds when nothing is said. */
export const ruleOfSettings = (settings: RecurrenceSettings): Rule => {
  const { cron: text, timezone, dst = {}, jitter = 0, grace = DEFAULT_GRACE_MS } = settings
  const { endsAt, maxExecutions, pauseAfterFailures } = settings
  const cron = parseCron(text)
  assertMinInterval(cron, MIN_INTERVAL_MS)
  const gap = oneOf(dst.gap, ['shift', 'skip'], 'dst.gap')
  const overlap = oneOf(dst.overlap, ['first', 'last', 'both'], 'dst.overlap')
  return {
    schedule: cronSchedule(cron, { zone: timezone, dst: { gap, overlap } }),
    misfire: oneOf(settings.misfire, ['skip', 'latest', 'all'], 'misfire'),
    overlap: oneOf(settings.overlap, ['allow', 'skip', 'cancel_previous'], 'overlap'),
    graceMs: durationMs(grace, 'grace'),
    jitterMs: durationMs(jitter, 'jitter'),
    ...(endsAt !== undefined && { endsAt: parseInstant(endsAt) }),
    ...(maxExecutions !== undefined && { maxExecutions: whole(maxExecutions, 'maxExecutions') }),
    ...(pauseAfterFailures !== undefined && {
      pauseAfterFailures: whole(pauseAfterFailures, 'pauseAfterFailures'),
    }),
  }
}

export const misfireOf = (catchUp: CatchUp | undefined, misfire: Misfire | undefined): Misfire | undefined =>
  catchUp === 'none' ? 'skip' : (catchUp ?? misfire)

/** How long an action stands for a key that is given in one word. */
export const DEDUP_FOR = '24h'

/** A definition's settings, and whether it is to be on; undefined where the definition leaves that to people. */
export const settingsOfData = (
  { kind: _, id: __, enabled, catchUp, action, ...timing }: RecurrenceData,
  hash: string,
): { readonly settings: RecurrenceSettings; readonly enabled: boolean | undefined } => {
  const { dedupKey, ...request } = action
  const misfire = misfireOf(catchUp, timing.misfire)
  const settings = {
    ...timing,
    ...(misfire !== undefined && { misfire }),
    do: { ...request, ...(dedupKey !== undefined && { dedup: { key: dedupKey, for: DEDUP_FOR } }) },
    definition: hash,
  }
  return { settings, enabled }
}

const requestOfSettings = ({ do: { type, config, ...options } }: RecurrenceSettings): ActionRequest => ({
  type,
  config,
  options,
})

/** Reading a cron costs far more than firing it, and settings rarely change. */
const MAX_RULES = 10_000
const rules = new Map<string, Rule>()

const remembered = (settings: RecurrenceSettings): Rule => {
  const { do: _, description: __, labels: ___, definition: ____, removed: _____, ...timing } = settings
  const key = JSON.stringify(timing)
  const known = rules.get(key)
  if (known !== undefined) return known
  const rule = ruleOfSettings(settings)
  if (rules.size >= MAX_RULES) rules.clear()
  rules.set(key, rule)
  return rule
}

/** The one definition of all recurrences that are data: each brings its settings along. */
export const RECURRENCE_ID = 'pawl.recurrence'

export const dataRecurrence: Recurrence = {
  kind: 'recurrence',
  id: RECURRENCE_ID,
  hash: 'recurrence-1',
  ruleOf: (settings: JsonObject) => remembered(settings as unknown as RecurrenceSettings),
  request: (_firing, settings) => requestOfSettings(settings as unknown as RecurrenceSettings),
}
