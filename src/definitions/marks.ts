// Owns where each part of a value stood in its text: a tree of offsets beside the value, made by the readers, asked
// by path. Invariant: a path that leads nowhere is answered with the nearest part that exists.

import type { Json } from '../core/json.ts'
import type { Path, Problem } from './problem.ts'

export interface Mark {
  readonly offset: number
  readonly members?: ReadonlyMap<string, { readonly key: number; readonly mark: Mark }>
  readonly items?: readonly Mark[]
}

/** A value as it was read, with the offsets of its parts. */
export interface Marked {
  readonly value: Json
  readonly mark: Mark
}

/** The offset of the value at a path, or of its key. What is missing is shown at the key of what should hold it. */
export const offsetOf = (root: Mark, path: Path, point: Problem['point']): number => {
  let mark = root
  let key = root.offset
  for (const [index, segment] of path.entries()) {
    const member = mark.members?.get(String(segment))
    const item = mark.items?.[Number(segment)]
    if (!member && !item) return key
    key = member?.key ?? item!.offset
    mark = member?.mark ?? item!
    if (index === path.length - 1) return point === 'key' ? key : mark.offset
  }
  return mark.offset
}
