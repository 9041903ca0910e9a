// Owns remembering secrets for a few seconds, so that a thousand attempts are not a thousand readings and a rotated
// value is gone in time (S46). What is not there is not remembered: who sets a secret need not wait.
// C1  An answer is never older than MAX_AGE_MS, counted from when the question was asked.

import type { Secret, SecretResolver, Tenancy } from './secret.ts'

export const MAX_AGE_MS = 5000
export const MAX_CACHED = 1000

export interface SecretCache extends SecretResolver {
  readonly forget: (of: Tenancy, name: string) => void
}

interface Asked {
  readonly at: number
  readonly answer: Promise<Secret | undefined>
}

/** `now` is real time: a virtual clock may stand still while somebody revokes a value. */
export const createCache = (source: SecretResolver, now: () => number): SecretCache => {
  const asked = new Map<string, Asked>()
  const forgetIf = (key: string, entry: Asked): void => {
    if (asked.get(key) === entry) asked.delete(key)
  }

  const ask = (of: Tenancy, name: string, key: string): Promise<Secret | undefined> => {
    const entry: Asked = { at: now(), answer: source.resolve(of, name) }
    asked.delete(key)
    asked.set(key, entry)
    if (asked.size > MAX_CACHED) asked.delete(asked.keys().next().value!)
    entry.answer.then(
      (secret) => secret === undefined && forgetIf(key, entry),
      () => forgetIf(key, entry),
    )
    return entry.answer
  }

  return {
    resolve: (of, name) => {
      const key = keyOf(of, name)
      const known = asked.get(key)
      const age = known === undefined ? Number.NaN : now() - known.at
      // A clock that was set back makes an age below zero: such an answer has no known age.
      return known !== undefined && age >= 0 && age < MAX_AGE_MS ? known.answer : ask(of, name, key)
    },
    forget: (of, name) => void asked.delete(keyOf(of, name)),
  }
}

const keyOf = ({ namespace, tenant }: Tenancy, name: string): string =>
  JSON.stringify([namespace, tenant, name])
