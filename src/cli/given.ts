// Owns what every command is given before it speaks to anything: the settings that hold for it and its two ways out.

import type { Client } from '../client/client.ts'
import type { Environment } from '../config/environment.ts'
import type { Settings } from '../config/resolve.ts'
import type { Sections } from '../config/sections.ts'
import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Code } from './load-module.ts'
import type { ShowTime } from './moments.ts'
import type { Output } from './output.ts'
import type { Terminal } from './terminal.ts'

/** As commander gives them. */
export type Options = Readonly<Record<string, Json | undefined>>

export interface Given {
  readonly terminal: Terminal
  readonly output: Output
  readonly when: ShowTime
  readonly options: Options
  readonly settings: Settings
  /** `services`, `providers`, `calendars` … of the file. */
  readonly sections: Readonly<Record<string, JsonObject>>
  /** `limits` and `alerts`, of the file and of variables. */
  readonly flow: Sections
  /** The environment, with what the file says of services and providers. */
  readonly env: Environment
  /** Definitions and runners of a file of settings in TypeScript. */
  readonly code: Code
  readonly cwd: string
}

/** What a command speaks to. */
export interface Target {
  readonly client: Client
  /** As it is told to people: never with a password. */
  readonly name: string
  readonly isLocal: boolean
  readonly close: () => Promise<void>
}

/** A setting that has a value, or undefined. */
export const setting = <Value extends Json>(
  { settings }: Pick<Given, 'settings'>,
  key: string,
): Value | undefined => settings.get(key)?.value as Value | undefined

export const storeOf = (session: Pick<Given, 'settings'>): string => {
  const store = setting<string>(session, 'store')
  if (store !== undefined) return store
  throw new PawlError('settings_invalid', 'no store is named', {
    path: 'store',
    expected: '--store sqlite:./pawl.db, PAWL_STORE, or store in pawl.toml',
  })
}
