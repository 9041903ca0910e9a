// Owns what a process that works tells of itself, from the settings: log lines, metrics and traces, as one observer.

import type { LogSink } from '../engine/log.ts'
import type { Observer } from '../engine/observer.ts'
import { createLogObserver } from '../observe/log-observer.ts'
import { createLogging, type LoggingOptions, type SinkOf } from '../observe/logging.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { createSpans } from '../observe/spans.ts'
import { together } from '../observe/together.ts'
import { VERSION } from '../version.ts'
import { setting } from './given.ts'
import type { Session } from './session.ts'

export interface Observing {
  readonly observer: Observer
  readonly metrics: Metrics
  readonly sinkOf: SinkOf
  /** For the engine: a line of a runner's own is a component of its own. */
  readonly log: LogSink
}

const formatOf = (session: Session): LoggingOptions['format'] => {
  const format = setting<'auto' | 'json' | 'pretty'>(session, 'log.format')!
  if (format !== 'auto') return format
  return process.stderr.isTTY ? 'pretty' : 'json'
}

export const createObserving = (session: Session): Observing => {
  const sinkOf = createLogging({
    level: setting<LoggingOptions['level']>(session, 'log.level')!,
    levels: setting<readonly string[]>(session, 'log.levels') ?? [],
    format: formatOf(session),
    payloads: setting<boolean>(session, 'log.payloads')!,
    write: (line) => void process.stderr.write(`${line}\n`),
  })
  const maxSeries = setting<number>(session, 'metrics.maxSeries')!
  const metrics = createMetrics({ version: VERSION, maxSeries, process: true })
  const [engine, runner] = [sinkOf('engine'), sinkOf('runner')]
  return {
    observer: together([createSpans(VERSION), metrics.observer, createLogObserver(sinkOf('worker'))]),
    metrics,
    sinkOf,
    // Only what a runner says carries the type and the attempt it speaks for.
    log: (level, message, fields) =>
      ('type' in fields && 'attempt' in fields ? runner : engine)(level, message, fields),
  }
}
