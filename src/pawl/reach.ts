// Owns what attempts may reach: the guarded door and the secrets, joined so that a secret bound to hosts leaves to no
// other, and so that what is kept or shown of an attempt holds none.

import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { SecretSlot } from '../core/template/render.ts'
import { createEgress, type Egress, type EgressOptions } from '../egress/egress.ts'
import { runnerFetch } from '../egress/runner-fetch.ts'
import type { ReachOf } from '../engine/context.ts'
import type { LogSink } from '../engine/log.ts'
import type { FetchRequest } from '../runners/runner-context.ts'
import { type AttemptSecrets, attemptSecrets } from '../secrets/attempt-secrets.ts'
import { createRedactor } from '../secrets/redactor.ts'
import { allowsSecret } from '../secrets/reference.ts'
import type { SecretResolver } from '../secrets/secret.ts'

export interface World {
  readonly egress: Egress
  readonly reachOf: ReachOf
  /** Takes every secret this process has used out of what will be kept or shown. */
  readonly clean: <Value>(value: Value) => Value
  /** A sink that never sees a secret this process has used. */
  readonly cleaned: (sink: LogSink) => LogSink
  readonly close: () => Promise<void>
}

const partsOf = (
  url: string,
  { headers = {}, body, json }: FetchRequest,
): readonly (string | Uint8Array)[] => [
  url,
  ...Object.values(headers),
  ...(body === undefined ? [] : [body]),
  ...(json === undefined ? [] : [JSON.stringify(json)]),
]

/** With its port: a secret may be bound to one. */
const hostOf = (url: string): string => {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** S27: a runner that marks the places of secrets gets them nowhere else, whoever wrote the config. */
const assertMarked = (slots: readonly SecretSlot[], marks: readonly string[] | undefined): void => {
  const stray = marks && slots.find(({ pointer }) => !allowsSecret(marks, pointer))
  if (!stray) return
  throw new PawlError(
    'secret_not_allowed_here',
    `the secret ${stray.name} stands at ${stray.pointer}, where it would be sent or shown`,
    { path: stray.pointer, expected: marks.length === 0 ? 'no secret in this config' : marks.join(', ') },
  )
}

export const createWorld = (
  resolver: SecretResolver,
  egressOptions: EgressOptions,
  /** What every request carries besides its own headers. */
  outgoing: () => Readonly<Record<string, string>> = () => ({}),
): World => {
  const egress = createEgress(egressOptions)
  const redactor = createRedactor()
  const clean = <Value>(value: Value): Value => redactor.clean(value as Json) as Value
  return {
    egress,
    reachOf: (of, { signalOf, timeoutMs }) => {
      let held: AttemptSecrets | undefined
      // Made when one is asked for or sent: most attempts have nothing to keep.
      const secrets = (): AttemptSecrets => {
        held ??= attemptSecrets({ resolver, redactor, of })
        return held
      }
      return {
        fetch: async (url, request = {}) => {
          const parts = partsOf(url, request)
          secrets().assertDestination(hostOf(url), parts)
          const headers = { ...outgoing(), ...request.headers }
          // S20: what is bound to a host is not led off it.
          const sameOrigin = secrets().isBound(parts)
          const fetch = runnerFetch(egress, { signal: signalOf(), timeoutMs })
          return fetch(url, { ...request, headers, ...(sameOrigin && { sameOrigin }) })
        },
        secret: (name) => secrets().secret(name),
        assertDestination: (host, parts) => secrets().assertDestination(host, parts),
        fill: (config, slots, marks) => {
          assertMarked(slots, marks)
          return secrets().fillConfig(config, slots)
        },
        release: () => held?.release(),
      }
    },
    clean,
    cleaned: (sink) => (level, message, fields) =>
      sink(level, redactor.clean(message), redactor.clean(fields) as JsonObject),
    close: egress.close,
  }
}
