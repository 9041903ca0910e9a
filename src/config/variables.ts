// Owns the names of variables: which of the environment are settings, which belong to services, providers and secrets, and
// which look like ours and are not. What a file says of services and providers becomes such variables, so that whoever
// reads them need not know where they came from.

import { isObject, type JsonObject } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { Environment } from './environment.ts'
import { LIMIT_VARIABLE } from './sections.ts'
import { SETTINGS, variableOf } from './settings.ts'

/** Read by the command line itself, or by others. */
const OTHERS = [
  'PAWL_CONFIG',
  'PAWL_PROFILE',
  'PAWL_PROVIDERS',
  'PAWL_REDIS_URL',
  'PAWL_ALERTS',
  'PAWL_DEBUG',
]
const FAMILIES = [
  /^PAWL_SECRET_[A-Z0-9_]+$/,
  /^PAWL_SERVICES__[A-Z0-9_]+?__[A-Z0-9_]+$/,
  /^PAWL_PROVIDERS__[A-Z0-9_]+?__[A-Z0-9_]+$/,
  LIMIT_VARIABLE,
  /^PAWL_TEST_/,
]

/** One sentence for each variable that begins like ours and means nothing: somebody meant something by it. */
export const unknownVariables = (env: Environment): readonly string[] => {
  const known = [...SETTINGS.map(({ key }) => variableOf(key)), ...OTHERS]
  return Object.keys(env)
    .filter((name) => name.startsWith('PAWL_') && !known.includes(name))
    .filter((name) => !FAMILIES.some((family) => family.test(name)))
    .map((name) => {
      const suggestion = nearest(name, known)
      return `${name} is not a variable of Pawl${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
    })
}

const upper = (name: string): string => name.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase()

const SECTIONS = ['services', 'providers'] as const

/** `services.crm.baseUrl` → `PAWL_SERVICES__CRM__BASE_URL`. What the environment says itself wins. */
export const withSections = (
  env: Environment,
  sections: Readonly<Record<string, JsonObject>>,
): Environment => {
  const variables = SECTIONS.flatMap((section) =>
    Object.entries(sections[section] ?? {}).flatMap(([name, settings]) =>
      Object.entries(isObject(settings) ? settings : {}).map(
        ([key, value]) => [`PAWL_${upper(section)}__${upper(name)}__${upper(key)}`, String(value)] as const,
      ),
    ),
  )
  return { ...Object.fromEntries(variables), ...env }
}
