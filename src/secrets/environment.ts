// Owns secrets of the environment: PAWL_SECRET_<NAME>, or PAWL_SECRET_<NAME>_FILE with the path of a file, and
// PAWL_SECRET_<NAME>_HOSTS with where it may be sent. The environment is an argument; only src/config reads the process's
// own. A variable that is empty is not set.

import { parseHosts } from './destination.ts'
import { refusal } from './refusal.ts'
import type { Secret } from './secret.ts'
import { readSecretFile } from './secret-file.ts'
import { variableOf } from './secret-name.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const readFromEnvironment = async (env: Environment, name: string): Promise<Secret | undefined> => {
  const variable = variableOf(name)
  const [value, path] = [valueIn(env, variable), valueIn(env, `${variable}_FILE`)]
  if (value !== undefined && path !== undefined)
    throw refusal(
      'secret_unreadable',
      `the secret ${name} is set twice, by ${variable} and ${variable}_FILE`,
      {
        expected: 'one of them',
      },
    )
  if (path !== undefined) return readSecretFile(path, name)
  return value === undefined ? undefined : { name, value, from: 'environment', version: '1' }
}

const valueIn = (env: Environment, variable: string): string | undefined =>
  Object.hasOwn(env, variable) && env[variable] !== '' ? env[variable] : undefined

/** `api.example.com, *.example.org`: where the operator lets a secret go. Undefined: wherever its user says. */
export const hostsIn = (env: Environment, name: string): readonly string[] | undefined => {
  const text = valueIn(env, `${variableOf(name)}_HOSTS`)
  return text === undefined ? undefined : parseHosts(text.split(',').map((host) => host.trim()))
}

/** One of the names that each variable stands for. */
export const namesIn = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !variable.endsWith('_HOSTS'))
    .map((variable) =>
      variable
        .slice(PREFIX.length)
        .replace(/_FILE$/, '')
        .toLowerCase(),
    )

const PREFIX = variableOf('')
