// Owns who wins: a flag, else a variable, else the file, else the preset; and who won, so that it can be shown.

import type { Json } from '../core/json.ts'
import type { FileSettings } from './config-file.ts'
import type { Environment } from './environment.ts'
import { readSetting } from './read-setting.ts'
import { SETTINGS, type Setting, variableOf } from './settings.ts'

export interface Resolved {
  readonly value: Json
  /** As people know it: `--port`, `PAWL_PORT`, `pawl.toml`, `default`. */
  readonly source: string
}

/** Every setting that has a value, by key. */
export type Settings = ReadonlyMap<string, Resolved>

/** By key: what was typed. */
export type Flags = Readonly<Record<string, Json | undefined>>

/** Read where the setting's own variable is not set: what hosts of databases give their users. */
const FALLBACKS: Readonly<Record<string, string>> = { store: 'DATABASE_URL' }

export interface Sources {
  readonly flags: Flags
  readonly env: Environment
  readonly file?: FileSettings | undefined
}

export const resolveSettings = (sources: Sources): Settings =>
  new Map(
    SETTINGS.flatMap((setting) => {
      const found = resolveOne(setting, sources)
      return found === undefined ? [] : [[setting.key, found] as const]
    }),
  )

const resolveOne = (setting: Setting, { flags, env, file }: Sources): Resolved | undefined => {
  const { key, preset } = setting
  const flag = flags[key]
  if (flag !== undefined) return given(setting, flag, flagOf(key))
  for (const name of [variableOf(key), FALLBACKS[key]])
    if (name !== undefined && env[name] !== undefined && env[name] !== '')
      return given(setting, env[name], name)
  const kept = file?.values.get(key)
  if (kept !== undefined) return { value: kept, source: file!.file }
  return preset === undefined ? undefined : { value: readSetting(setting, preset, key), source: 'default' }
}

const given = (setting: Setting, value: Json, source: string): Resolved => ({
  value: readSetting(setting, value, source),
  source,
})

/** `log.level` → `--log-level`. */
export const flagOf = (key: string): string =>
  `--${key.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
