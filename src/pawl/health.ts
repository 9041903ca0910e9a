// Owns `pawl.health` and `pawl.stats`: what was measured of one action name, or of all of a tenant's, within a time.

import { PawlError } from '../core/errors.ts'
import { durationMs } from '../core/time/duration.ts'
import type { Clock } from '../engine/clock.ts'
import { type Health, hourOf, NOTHING } from '../engine/health.ts'
import { adviceFor, type Recommendation } from '../engine/health-advice.ts'
import { type ActionMetrics, merge, metricsByName, metricsOf } from '../engine/health-metrics.ts'
import type { HealthStore } from '../store/health.ts'
import type { Counts, Reader } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'

export interface WindowOptions {
  /** A duration such as `24h`, which is the default; at most `90d`. */
  readonly window?: string
}

export interface ActionHealth extends ActionMetrics {
  readonly timeWindow: string
  readonly from: string
  readonly to: string
  readonly failureReasons: Readonly<Record<string, number>>
  readonly recommendations: readonly Recommendation[]
}

export interface Stats {
  readonly timeWindow: string
  readonly from: string
  readonly to: string
  readonly totals: Omit<ActionMetrics, 'actionType' | 'actionId'>
  /** Most executions first. */
  readonly actions: readonly ActionMetrics[]
  /** There was more than is told here: a shorter window tells all. */
  readonly truncated: boolean
  readonly counts: Counts
}

export interface HealthDesk {
  readonly health: (name: string, options?: WindowOptions) => Promise<ActionHealth>
  readonly stats: (options?: WindowOptions) => Promise<Stats>
}

export interface HealthDeskParts {
  readonly store: Pick<HealthStore, 'read'>
  readonly reader: Pick<Reader, 'counts'>
  readonly measuring: Pick<Health, 'flush'>
  readonly clock: Pick<Clock, 'now'>
}

const DEFAULT_WINDOW = '24h'
const MAX_WINDOW_MS = 90 * 86_400_000
/** Rows are names × hours × processes. */
const MAX_ROWS = 20_000
const MAX_NAMES = 250

interface Span {
  readonly timeWindow: string
  readonly from: number
  readonly to: number
}

const shown = ({ timeWindow, from, to }: Span) => ({
  timeWindow,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

const spanOf = (now: number, window = DEFAULT_WINDOW): Span => {
  const ms = durationMs(window, 'window')
  if (ms < 1 || ms > MAX_WINDOW_MS)
    throw new PawlError('invalid_option', `a window of “${window.slice(0, 80)}” is not possible`, {
      path: 'window',
      expected: 'a duration such as 24h, at most 90d',
    })
  return { timeWindow: window, from: now - ms, to: now }
}

export const createHealthDesk = (parts: HealthDeskParts, of: Tenancy): HealthDesk => {
  const { store, reader, measuring, clock } = parts
  /** Hours are counted whole: the one in which the window begins, too. */
  const read = async ({ from }: Span, name?: string) => {
    await measuring.flush()
    return store.read(of, { since: hourOf(from), ...(name !== undefined && { name }) }, MAX_ROWS)
  }
  return {
    health: async (name, { window } = {}) => {
      const span = spanOf(clock.now(), window)
      const rows = await read(span, name)
      const all = rows.reduce((sum, { measured }) => merge(sum, measured), NOTHING)
      const metrics = metricsOf(name, rows[0]?.type ?? '', all)
      return {
        ...metrics,
        ...shown(span),
        failureReasons: metrics.errorTypes,
        recommendations: adviceFor(metrics),
      }
    },
    stats: async ({ window } = {}) => {
      const span = spanOf(clock.now(), window)
      const rows = await read(span)
      const {
        actionId: _id,
        actionType: _type,
        ...totals
      } = metricsOf(
        '',
        '',
        rows.reduce((sum, { measured }) => merge(sum, measured), NOTHING),
      )
      const actions = metricsByName(rows)
      return {
        ...shown(span),
        totals,
        actions: actions.slice(0, MAX_NAMES),
        truncated: actions.length > MAX_NAMES || rows.length === MAX_ROWS,
        counts: await reader.counts(of),
      }
    },
  }
}
