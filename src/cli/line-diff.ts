// Owns the difference of two values as lines: what goes, what comes, and nothing of what stays.

import type { Json } from '../core/json.ts'

const MAX_LINES = 2000

/** One line for each leaf, by its path: the order of keys does not count. */
const leaves = (value: Json, path = ''): readonly (readonly [string, string])[] => {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return [[path, JSON.stringify(value)]]
  return Object.entries(value as Readonly<Record<string, Json>>).flatMap(([key, inner]) =>
    leaves(inner, path === '' ? key : `${path}.${key}`),
  )
}

export const lineDiff = (before: Json, after: Json): readonly string[] => {
  const [old, now] = [new Map(leaves(before)), new Map(leaves(after))]
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path))
  return paths
    .slice(0, MAX_LINES)
    .flatMap((path) => [
      ...(old.has(path) ? [`- ${path}: ${old.get(path)}`] : []),
      ...(now.has(path) ? [`+ ${path}: ${now.get(path)}`] : []),
    ])
}
