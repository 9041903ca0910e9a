// Owns what a command is given: the settings that hold for it, its two ways out, and the target it speaks to, opened when it
// is first asked for. A command that ends closes what was opened.

import { isAbsolute, join } from 'node:path'
import type { Client } from '../client/client.ts'
import {
  checkConfig,
  type FileSettings,
  findConfigFile,
  isProgram,
  readConfigText,
} from '../config/config-file.ts'
import { type Environment, readEnvironment } from '../config/environment.ts'
import { chosenProfile } from '../config/profiles.ts'
import { type Flags, resolveSettings, type Settings } from '../config/resolve.ts'
import { resolveSections } from '../config/sections.ts'
import { SETTINGS } from '../config/settings.ts'
import { unknownVariables, withSections } from '../config/variables.ts'
import { realClock } from '../engine/clock.ts'
import type { Given, Options, Target } from './given.ts'
import { type Code, codeIn, loadModule } from './load-module.ts'
import { createMoments, type TimeStyle } from './moments.ts'
import { createOutput } from './output.ts'
import { openTarget, targetOf } from './target.ts'
import { createTerminal, type Terminal } from './terminal.ts'

export interface Session extends Given {
  readonly client: () => Promise<Client>
  /** Before a write: a target that is not on this machine is named. */
  readonly writing: () => Promise<Client>
  readonly close: () => Promise<void>
}

/** `log.level` is `logLevel` in commander's words, `url` is `--server`. */
const optionOf = (key: string): string =>
  key === 'url' ? 'server' : key.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

const flagsIn = (options: Options): Flags =>
  Object.fromEntries(SETTINGS.map(({ key }) => [key, options[optionOf(key)]]))

interface LoadedFile {
  readonly file: FileSettings | undefined
  readonly code: Code
}

const NO_CODE: Code = { definitions: [], runners: [] }

const loadFile = async (options: Options, env: Environment, cwd: string): Promise<LoadedFile> => {
  const named = (options['config'] as string | undefined) ?? env['PAWL_CONFIG']
  const file = named === undefined ? findConfigFile(cwd) : isAbsolute(named) ? named : join(cwd, named)
  if (file === undefined) return { file: undefined, code: NO_CODE }
  if (!isProgram(file)) return { file: checkConfig(file, readConfigText(file)), code: NO_CODE }
  const given = (await loadModule(file))['default'] as Readonly<Record<string, unknown>> | undefined
  const { definitions, runners, ...data } = given ?? {}
  const isDirectory = typeof definitions === 'string'
  const code = codeIn({ definitions, runners })
  return { file: checkConfig(file, isDirectory ? { ...data, definitions } : data), code }
}

const timeStyle = ({ time }: Options, { isShown }: Terminal): TimeStyle =>
  (time as TimeStyle | undefined) ?? (isShown ? 'relative' : 'iso')

export const terminalOf = (options: Options, env: Environment): Terminal =>
  createTerminal({
    ...(options['color'] !== undefined && { color: options['color'] as 'auto' | 'always' | 'never' }),
    noColor: (env['NO_COLOR'] ?? '') !== '',
    input: options['input'] !== false,
    quiet: options['quiet'] === true,
  })

/** A profile that is named speaks before the file; one that is only used, where neither a server nor a store is named. */
const withProfile = (settings: Settings, options: Options, env: Environment): Settings => {
  const named = (options['profile'] as string | undefined) ?? (env['PAWL_PROFILE'] || undefined)
  const isSaid =
    options['server'] !== undefined || options['store'] !== undefined || (env['PAWL_URL'] ?? '') !== ''
  if (isSaid || (named === undefined && (settings.has('url') || settings.has('store')))) return settings
  const chosen = chosenProfile(env, named)
  if (chosen === undefined) return settings
  const { name, profile } = chosen
  const source = `profile ${name}`
  return new Map([
    ...settings,
    ['url', { value: profile.url, source }],
    ...(profile.token !== undefined && settings.get('token') === undefined
      ? [['token', { value: profile.token, source }] as const]
      : []),
  ])
}

export const openSession = async (options: Options): Promise<Session> => {
  const env = readEnvironment()
  const cwd = process.cwd()
  const terminal = terminalOf(options, env)
  const { file, code } = await loadFile(options, env, cwd)
  for (const warning of unknownVariables(env)) terminal.say(`${terminal.style('yellow', '!')} ${warning}`)
  const settings = withProfile(resolveSettings({ flags: flagsIn(options), env, file }), options, env)
  const sections = file?.sections ?? {}
  const base = {
    terminal,
    options,
    settings,
    sections,
    flow: resolveSections(env, file),
    env: withSections(env, sections),
    code,
    cwd,
    output: createOutput(terminal, options as Parameters<typeof createOutput>[1]),
    when: createMoments(timeStyle(options, terminal), options['tz'] as string | undefined, realClock.now),
  }
  let target: Promise<Target> | undefined
  const opened = (): Promise<Target> => {
    target ??= openTarget(targetOf(settings, options), base)
    return target
  }
  return {
    ...base,
    client: async () => (await opened()).client,
    writing: async () => {
      const { client, isLocal, name } = await opened()
      if (!isLocal) terminal.say(terminal.style('dim', `→ ${name}`))
      return client
    },
    close: async () => (await target?.catch(() => undefined))?.close(),
  }
}
