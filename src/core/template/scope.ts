// Owns which names placeholders and conditions may use, and the aliases of those names. Aliases point to the same
// data, nothing is copied. Secrets are not here: they are filled in by the runner.

import type { Json, JsonObject } from '../json.ts'

export type Scope = Readonly<Record<string, Json>>

export interface ScopeSource {
  readonly execution?: (JsonObject & { readonly id: string; readonly variables: JsonObject }) | undefined
  readonly event?: { readonly id: string; readonly type: string; readonly payload: Json } | undefined
  /** Epoch milliseconds; `{{now}}` is that instant, not the moment of rendering. */
  readonly now: number
  /** Roots of one trigger only: `recurring_id`, `desired`, `key` … They never hide a name of this file. */
  readonly extra?: Readonly<Record<string, Json>>
}

export const scopeOf = ({ execution, event, now, extra }: ScopeSource): Scope => ({
  ...extra,
  ...(execution && executionNames(execution)),
  ...(event && eventNames(event)),
  /** Written out only when read: most templates and conditions do not. */
  get now() {
    return new Date(now).toISOString()
  },
})

const executionNames = (execution: ScopeSource['execution'] & {}): Scope => {
  const { variables } = execution
  return { execution, variables, context: variables, subject: variables }
}

const eventNames = (event: ScopeSource['event'] & {}): Scope => {
  const named = withHidden({ ...event }, 'data', event.payload)
  return { event: named, message: named }
}

/** Read by name, but not listed: `{{event}}` as a whole does not carry its payload twice. */
const withHidden = (object: JsonObject, name: string, value: Json): JsonObject =>
  Object.defineProperty(object, name, { value })
