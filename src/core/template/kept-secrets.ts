// Owns which secrets an edited config keeps. Nothing is rendered again: a reference stands where it stood before the edit,
// or is gone with its place; text that merely looks like one stays text.

import { PawlError } from '../errors.ts'
import { type Json, own } from '../json.ts'
import type { SecretSlot } from './compile.ts'
import { quote } from './shown.ts'

export const keptSecrets = (config: Json, before: readonly SecretSlot[]): readonly SecretSlot[] => {
  const places = Map.groupBy(before, ({ pointer }) => pointer)
  return [...places].flatMap(([pointer, slots]) => keptAt(textAt(config, pointer), pointer, slots))
}

const textAt = (config: Json, pointer: string): string | undefined => {
  const keys = pointer.split('/').slice(1)
  const found = keys.reduce<Json | undefined>(
    (value, key) => own(value, key.replaceAll('~1', '/').replaceAll('~0', '~')),
    config,
  )
  return typeof found === 'string' ? found : undefined
}

/** The same references in the same order, wherever they now stand in the text; or none of them. */
const keptAt = (
  text: string | undefined,
  pointer: string,
  slots: readonly SecretSlot[],
): readonly SecretSlot[] => {
  if (text === undefined || !slots.some(({ name }) => text.includes(`{{secrets.${name}}}`))) return []
  let from = 0
  const kept = slots.map(({ name }) => {
    const start = text.indexOf(`{{secrets.${name}}}`, from)
    if (start < 0) throw lost(pointer, name)
    from = start + `{{secrets.${name}}}`.length
    return { pointer, name, start, end: from }
  })
  return kept
}

const lost = (pointer: string, name: string): PawlError =>
  new PawlError('config_invalid', `{{secrets.${name}}} no longer stands at ${quote(pointer)}`, {
    path: pointer,
    expected: 'every secret of this text in its old order, or none of them',
  })
