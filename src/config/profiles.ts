// Owns the file of profiles: servers by name, each with its key, and which of them is used. Only its owner may read it. A
// profile stands behind flags and variables, and before the server of one's own machine.

import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PawlError } from '../core/errors.ts'
import { isObject, type Json } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { Environment } from './environment.ts'

export interface Profile {
  readonly url: string
  readonly token?: string
}

export interface Profiles {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const NONE: Profiles = { profiles: {} }
const ONLY_OWNER = 0o600

export const profilesFile = (env: Environment): string => {
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.config')
  return join(base, 'pawl', 'profiles.json')
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const unreadable = (file: string): PawlError =>
  new PawlError('settings_invalid', `${file} holds no profiles`, {
    path: file,
    expected: 'what pawl profile writes',
  })

export const readProfiles = (env: Environment): Profiles => {
  const file = profilesFile(env)
  const text = textOf(file)
  if (text === undefined) return NONE
  let kept: Json
  try {
    kept = JSON.parse(text)
  } catch {
    throw unreadable(file)
  }
  if (!isObject(kept) || !isObject(kept['profiles'])) throw unreadable(file)
  return kept as unknown as Profiles
}

/** Whole or not at all, and never readable by others, also not for a moment. */
export const writeProfiles = (env: Environment, profiles: Profiles): void => {
  const file = profilesFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.new`
  writeFileSync(fresh, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: ONLY_OWNER })
  chmodSync(fresh, ONLY_OWNER)
  renameSync(fresh, file)
}

export const noProfile = (name: string, { profiles }: Profiles): PawlError => {
  const known = Object.keys(profiles)
  const suggestion = nearest(name, known)
  return new PawlError('settings_invalid', `there is no profile “${name.slice(0, 80)}”`, {
    path: 'profile',
    expected: known.length === 0 ? 'pawl profile set <name> --server <url>' : known.join(', '),
    ...(suggestion !== undefined && { suggestion }),
  })
}

/** The one that is named, else the one that is used. */
export const chosenProfile = (
  env: Environment,
  named: string | undefined,
): { readonly name: string; readonly profile: Profile } | undefined => {
  const all = readProfiles(env)
  const name = named ?? all.current
  if (name === undefined) return undefined
  const profile = Object.hasOwn(all.profiles, name) ? all.profiles[name] : undefined
  if (profile === undefined) throw noProfile(name, all)
  return { name, profile }
}
