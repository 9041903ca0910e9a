// Owns the first stage of rendering: everything but secrets, once, when an action is created. The second
// stage, in the runner's process, is secrets.ts. One pass: a value that looks like a placeholder is only text.

import type { Json } from '../json.ts'
import { compile, type Rendering, type SecretSlot } from './compile.ts'
import { MAX_WORK } from './meter.ts'
import type { Scope } from './scope.ts'
import { textOf } from './text.ts'

export type { SecretSlot } from './compile.ts'

export interface Rendered {
  /** Secrets stand in it as `{{secrets.name}}`. */
  readonly value: Json
  /** Where the real ones are; anything else that looks like one came in through a variable. */
  readonly secrets: readonly SecretSlot[]
}

export const render = (template: Json, scope: Scope): Rendered => {
  const { node, room } = compile(template)
  const run: Rendering = { scope, room, work: MAX_WORK, place: '', secrets: [] }
  return { value: node === undefined ? template : node(run), secrets: run.secrets }
}

/** For what must be text whatever its template gives: a dedup key, a summary. */
export const renderText = (template: string, scope: Scope): string => textOf(render(template, scope).value)
