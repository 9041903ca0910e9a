// Owns what a value looks like between other text.

import type { Json } from '../json.ts'

export const textOf = (value: Json): string => {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
