// Owns what the engine says about itself: one line per fact, with fields. Where the lines go is the caller's; by default
// warnings and errors go to standard error and the rest nowhere.

import type { JsonObject } from '../core/json.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error'
export type LogSink = (level: Level, message: string, fields: JsonObject) => void

export interface Log {
  readonly debug: (message: string, fields?: JsonObject) => void
  readonly info: (message: string, fields?: JsonObject) => void
  readonly warn: (message: string, fields?: JsonObject) => void
  readonly error: (message: string, fields?: JsonObject) => void
}

/** `fields` are said with every line. A sink that throws loses its line and nothing else. */
export const createLog = (sink: LogSink, fields: JsonObject = {}): Log => {
  const write =
    (level: Level) =>
    (message: string, more: JsonObject = {}): void => {
      try {
        sink(level, message, { ...fields, ...more })
      } catch {
        // Nobody is left to be told.
      }
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
