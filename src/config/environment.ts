// Owns the environment: the only place that reads it. Everything else is given what it needs.

import { hostname } from 'node:os'

export type Environment = Readonly<Record<string, string | undefined>>

/** What the library reads when the program says nothing else. */
export const readEnvironment = (): Environment => process.env

export const readHost = (): string => hostname()

/** Which rules of time zones this process was built with: `2026a`. */
export const readZoneRules = (): string => process.versions['tz'] ?? 'unknown'

/** A list as people write it in a variable: `127.0.0.0/8, *.internal`. */
export const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
