// Owns `pawl profile …`: servers and their keys by name, so that neither is typed twice. A key is read from a pipe or a
// variable, never from an argument that a history keeps.

import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { noProfile, type Profiles, profilesFile, readProfiles, writeProfiles } from '../config/profiles.ts'
import { PawlError } from '../core/errors.ts'
import { examples, group, run, sub } from './command.ts'
import type { Session } from './session.ts'

const list = async ({ env, output, terminal }: Session): Promise<void> => {
  const { profiles, current } = readProfiles(env)
  const rows = Object.entries(profiles).map(([name, { url, token }]) => ({
    name,
    url,
    hasKey: token !== undefined,
    isUsed: name === current,
  }))
  if (rows.length === 0) terminal.say('No profiles. Make one: pawl profile set prod --server https://…')
  output.rows(rows, [
    { title: '', text: ({ isUsed }) => (isUsed ? terminal.style('green', '●') : ' ') },
    { title: 'NAME', text: ({ name }) => name },
    { title: 'SERVER', text: ({ url }) => url },
    { title: 'KEY', text: ({ hasKey }) => (hasKey ? '••••' : '–') },
  ])
}

const tokenOf = ({ options, env }: Session): string | undefined => {
  const variable = options['tokenFromEnv'] as string | undefined
  if (options['tokenStdin'] === true) return readFileSync(0, 'utf8').trim()
  if (variable === undefined) return undefined
  const value = env[variable]
  if (value) return value
  throw new PawlError('invalid_option', `${variable} is not set`, { path: '--token-from-env' })
}

const set = async (session: Session, name: string): Promise<void> => {
  const { env, options, terminal } = session
  const url = String(options['server'])
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new PawlError('invalid_option', `“${url.slice(0, 80)}” is no address of a server`, {
      path: '--server',
      expected: 'https://pawl.example',
    })
  const all = readProfiles(env)
  const token = tokenOf(session)
  const profiles = { ...all.profiles, [name]: { url, ...(token !== undefined && { token }) } }
  writeProfiles(env, { current: all.current ?? name, profiles })
  terminal.say(
    `${terminal.style('green', '✓')} ${name}: ${url}   kept in ${profilesFile(env)}, for you alone`,
  )
}

const changed =
  (change: (all: Profiles, name: string) => Profiles, said: string) =>
  async ({ env, terminal }: Session, name: string): Promise<void> => {
    const all = readProfiles(env)
    if (!Object.hasOwn(all.profiles, name)) throw noProfile(name, all)
    writeProfiles(env, change(all, name))
    terminal.say(`${terminal.style('green', '✓')} ${name} ${said}`)
  }

const without = ({ current, profiles }: Profiles, name: string): Profiles => {
  const { [name]: _, ...rest } = profiles
  return { ...(current !== undefined && current !== name && { current }), profiles: rest }
}

export const addProfile = (program: Command): void => {
  const profile = group(program, 'profile', 'Servers and their keys by name')
  sub(profile, 'list', 'List them').action(run(list))
  const made = sub(profile, 'set <name>', 'Keep a server and its key')
    .requiredOption('--server <url>', 'its address')
    .option('--token-stdin', 'read the key from a pipe')
    .option('--token-from-env <name>', 'read the key from a variable')
    .action(run(set))
  examples(
    made,
    'pawl profile set prod --server https://pawl.example --token-from-env PROD_KEY',
    'pawl keys create me --scopes admin | pawl profile set here --server http://127.0.0.1:4400 --token-stdin',
  )
  sub(profile, 'use <name>', 'Speak to this one from now on').action(
    run(changed(({ profiles }, name) => ({ current: name, profiles }), 'is used from now on')),
  )
  sub(profile, 'remove <name>', 'Forget one').action(run(changed(without, 'is forgotten')))
}
