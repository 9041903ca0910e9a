// Owns the second stage of rendering: secrets go where the first stage left a reference, and nowhere else. Runs in
// the runner's process only; what it returns must be neither stored nor shown.

import { PawlError } from '../errors.ts'
import { type Json, type JsonObject, own } from '../json.ts'
import { compile, type SecretSlot } from './compile.ts'
import type { Rendered } from './render.ts'
import { quote } from './shown.ts'

/** From the last slot to the first, so that filling one does not move those before it. */
export const fillSecrets = (rendered: Rendered, lookup: (name: string) => string): Json =>
  rendered.secrets.reduceRight<Json>(
    (value, slot) => fillAt(value, segmentsOf(slot.pointer), slot, lookup(slot.name)),
    rendered.value,
  )

/** Each secret once, in order of appearance. */
export const secretNames = (template: Json): readonly string[] => [
  ...new Set(compile(template).secrets.map(({ name }) => name)),
]

/** JSON pointers to the strings that use a secret, each once. */
export const secretPlaces = (template: Json): readonly string[] => [
  ...new Set(compile(template).secrets.map(({ pointer }) => pointer)),
]

const fillAt = (
  value: Json | undefined,
  segments: readonly string[],
  slot: SecretSlot,
  secret: string,
): Json => {
  const [key, ...below] = segments
  if (key === undefined) return fillText(value, slot, secret)
  const filled = fillAt(own(value, key), below, slot, secret)
  return Array.isArray(value) ? value.with(Number(key), filled) : { ...(value as JsonObject), [key]: filled }
}

/** Checked, because a config that was edited after rendering would get a secret in the wrong place. */
const fillText = (
  text: Json | undefined,
  { pointer, start, end, name }: SecretSlot,
  secret: string,
): string => {
  if (typeof text !== 'string' || text.slice(start, end) !== `{{secrets.${name}}}`)
    throw new PawlError('invalid_template', `{{secrets.${name}}} no longer stands at ${quote(pointer)}`, {
      path: pointer,
      expected: 'the config as it was rendered',
    })
  return text.slice(0, start) + secret + text.slice(end)
}

const segmentsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
