// Owns the names of secrets and the variables they are read from. A name is lower case; its variable is upper case with
// `_` for everything else, so that several names can share one variable, which is told rather than guessed.
// N1  No name's variable is another name's `…_FILE` or `…_HOSTS`.

import type { PawlError } from '../core/errors.ts'
import { refusal } from './refusal.ts'

const NAME = /^[a-z][a-z0-9_.-]{0,63}$/
const EXPECTED = 'a lower-case letter, then at most 63 letters, digits, _ . or -, such as crm_token'
const MAX_SHOWN = 80

export const assertSecretName = (name: string): void => {
  if (!NAME.test(name)) throw invalid(name, 'is no name for a secret', EXPECTED, nearestName(name))
  const taken = /[_.-](file|hosts)$/.exec(name)?.[1]
  if (taken !== undefined)
    throw invalid(
      name,
      `would be read from ${variableOf(name)}, which names the ${taken} of another secret`,
      `a name that does not end in ${taken}`,
      name.replace(/(?:file|hosts)$/, 'text'),
    )
}

/** `crm.token` → `PAWL_SECRET_CRM_TOKEN`. */
export const variableOf = (name: string): string =>
  `PAWL_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`

export interface SharedVariable {
  readonly variable: string
  readonly names: readonly string[]
}

/** Names that would all be given the value of one variable; for whoever knows the names in use. */
export const sharedVariables = (names: Iterable<string>): readonly SharedVariable[] =>
  [...Map.groupBy(new Set(names), variableOf)]
    .filter(([, sharing]) => sharing.length > 1)
    .map(([variable, sharing]) => ({ variable, names: sharing.toSorted() }))

const invalid = (name: string, why: string, expected: string, suggestion: string | undefined): PawlError => {
  const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
  return refusal('secret_invalid', `"${shown}" ${why}`, {
    path: 'name',
    expected,
    ...(suggestion !== undefined && { suggestion }),
  })
}

/** `MAIL_KEY` → `mail_key`, `crmToken` → `crm_token`. */
const nearestName = (name: string): string | undefined => {
  const folded = name
    .slice(0, MAX_SHOWN)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .replace(/_+$/, '')
    .slice(0, 64)
  return NAME.test(folded) ? folded : undefined
}
