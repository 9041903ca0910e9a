// Owns log lines: one JSON object per line by pino, or a line for people; each component may have a level of its own. Where
// the lines go is given in.

import { type DestinationStream, type Logger, pino } from 'pino'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { LogSink } from '../engine/log.ts'
import { logFields } from './log-fields.ts'

export const COMPONENTS = ['engine', 'worker', 'runner', 'http', 'store'] as const
export type Component = (typeof COMPONENTS)[number]

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof LEVELS)[number]

export interface LoggingOptions {
  readonly level: LogLevel
  /** Levels of components: `http=warn`. */
  readonly levels?: readonly string[]
  readonly format: 'json' | 'pretty'
  readonly payloads?: boolean
  readonly write: (line: string) => void
}

export type SinkOf = (component: Component) => LogSink

const refuse = (text: string, known: readonly string[], word: string): never => {
  const suggestion = nearest(word, known)
  throw new PawlError('settings_invalid', `“${text.slice(0, 80)}” is no level of a component`, {
    path: 'log.levels',
    expected: `component=level, of ${known.join(', ')}`,
    ...(suggestion !== undefined && { suggestion }),
  })
}

const levelsOf = (texts: readonly string[]): ReadonlyMap<string, LogLevel> =>
  new Map(
    texts.map((text) => {
      const [component = '', level = ''] = text.split('=').map((part) => part.trim())
      if (!COMPONENTS.includes(component as Component)) return refuse(text, COMPONENTS, component)
      if (!LEVELS.includes(level as LogLevel)) return refuse(text, LEVELS, level)
      return [component, level as LogLevel] as const
    }),
  )

const MARKS: Readonly<Record<string, string>> = { debug: '·', info: ' ', warn: '!', error: '✕' }
const HIDDEN = ['time', 'level', 'msg', 'event', 'component', 'trace_id', 'span_id']

/** `12:03:07.120 ! worker  an attempt ended after its lease  action_id=act_1`. */
export const prettyLine = (line: JsonObject): string => {
  const { time, level, msg, component } = line
  const shown = Object.entries(line).filter(([name]) => !HIDDEN.includes(name))
  const fields = shown.map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const mark = MARKS[String(level)] ?? ' '
  return [
    `${String(time).slice(11, 23)} ${mark} ${String(component).padEnd(6)}  ${String(msg)}`,
    ...fields,
  ].join('  ')
}

const streamOf = ({ format, write }: LoggingOptions): DestinationStream => ({
  write: (text) => {
    if (format === 'json') return write(text.trimEnd())
    write(prettyLine(JSON.parse(text) as JsonObject))
  },
})

const isoTime = (): string => pino.stdTimeFunctions.isoTime()

export const createLogging = (options: LoggingOptions): SinkOf => {
  const levels = levelsOf(options.levels ?? [])
  const root = pino(
    {
      level: 'debug',
      base: null,
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    streamOf(options),
  )
  const loggers = new Map<Component, Logger>(
    COMPONENTS.map((component) => [
      component,
      root.child({ component }, { level: levels.get(component) ?? options.level }),
    ]),
  )
  return (component) => {
    const logger = loggers.get(component)!
    return (level, message, fields) => {
      if (logger.isLevelEnabled(level))
        logger[level](logFields(message, fields, options.payloads === true), message)
    }
  }
}
