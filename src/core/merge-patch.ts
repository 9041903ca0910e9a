// Owns changing a JSON value by a patch (RFC 7396): members are merged, null removes, anything else takes the place of
// what was there. Own members only, and no name can reach a prototype.

import { isObject, type Json, type JsonObject, own } from './json.ts'

export const mergePatch = (target: Json, patch: Json): Json => {
  if (!isObject(patch)) return patch
  const before: JsonObject = isObject(target) ? target : {}
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key))
  const changed = Object.entries(patch).flatMap(([key, value]) =>
    value === null ? [] : [[key, mergePatch(own(before, key) ?? null, value)] as const],
  )
  return Object.fromEntries([...kept, ...changed])
}
