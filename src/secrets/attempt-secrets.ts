// Owns the secrets of one attempt: fills them into its config, gives them to its code, knows which were used and which of
// them a request would carry. Values are asked for once, so that an attempt sees one value of each; the next one asks
// again (S43, S46).

import type { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { SecretSlot } from '../core/template/render.ts'
import { fillSecrets } from '../core/template/secrets.ts'
import { assertDestination } from './destination.ts'
import { needlesOf } from './needles.ts'
import type { Redactor } from './redactor.ts'
import { refusal } from './refusal.ts'
import type { Secret, SecretResolver, Tenancy } from './secret.ts'
import { assertSecretName, variableOf } from './secret-name.ts'
import { seenThrough, VIEWS } from './views.ts'

export interface AttemptSecrets {
  /** The config as the runner gets it. Never stored, never shown. */
  readonly fillConfig: (config: Json, slots: readonly SecretSlot[]) => Promise<Json>
  /** `ctx.secret`. */
  readonly secret: (name: string) => Promise<string>
  /** S20: refuses a request that would carry a secret to a host it is not bound to. `parts`: address, headers, body. */
  readonly assertDestination: (host: string, parts: readonly (string | Uint8Array)[]) => void
  /** Would a request carry a secret that is bound to hosts? Then it may not be led elsewhere. */
  readonly isBound: (parts: readonly (string | Uint8Array)[]) => boolean
  /** When everything about the attempt has been cleaned and written. */
  readonly release: () => void
}

export interface AttemptOptions {
  readonly resolver: SecretResolver
  readonly redactor: Pick<Redactor, 'learn'>
  readonly of: Tenancy
}

export const attemptSecrets = ({ resolver, redactor, of }: AttemptOptions): AttemptSecrets => {
  const asked = new Map<string, Promise<Secret>>()
  const used = new Map<string, Secret>()
  const releases: (() => void)[] = []

  const ask = async (name: string): Promise<Secret> => {
    assertSecretName(name)
    const secret = await resolver.resolve(of, name)
    if (secret === undefined) throw await notFound(resolver, of, name)
    // Before anybody sees it: what is told of it from now on is cleaned.
    releases.push(redactor.learn(secret))
    used.set(name, secret)
    return secret
  }
  const once = (name: string): Promise<Secret> => {
    const answer = asked.get(name) ?? ask(name)
    asked.set(name, answer)
    return answer
  }

  /** Those bound to hosts that a request would carry. */
  const boundIn = (parts: readonly (string | Uint8Array)[]): readonly Secret[] => {
    const bound = [...used.values()].filter(({ hosts }) => hosts !== undefined)
    const texts = bound.length === 0 ? [] : parts.map(textOf)
    return bound.filter(({ value }) => isHeldBy(texts, value))
  }

  return {
    fillConfig: async (config, slots) => {
      const names = [...new Set(slots.map(({ name }) => name))]
      const values = new Map(
        await Promise.all(names.map(async (name) => [name, (await once(name)).value] as const)),
      )
      return fillSecrets({ value: config, secrets: slots }, (name) => values.get(name)!)
    },
    secret: async (name) => (await once(name)).value,
    assertDestination: (host, parts) => assertDestination(boundIn(parts), host),
    isBound: (parts) => boundIn(parts).length > 0,
    release: () => {
      for (const release of releases.splice(0)) release()
    },
  }
}

const textOf = (part: string | Uint8Array): string =>
  typeof part === 'string' ? part : Buffer.from(part).toString()

/** One that is too short to be searched counts as held by everything. */
const isHeldBy = (texts: readonly string[], value: string): boolean => {
  const needles = needlesOf(value)
  const isHeld = (seen: string): boolean => needles.some((needle) => seen.includes(needle))
  return needles.length === 0 || texts.some((text) => VIEWS.some((view) => isHeld(seenThrough(view, text))))
}

const notFound = async (resolver: SecretResolver, of: Tenancy, name: string): Promise<PawlError> => {
  const suggestion = nearest(name, (await resolver.names?.(of).catch(() => [])) ?? [])
  return refusal('secret_not_found', `there is no secret ${name}`, {
    expected: `${variableOf(name)} in the environment, a file ${name}, or a stored secret of that name`,
    ...(suggestion !== undefined && { suggestion }),
  })
}
