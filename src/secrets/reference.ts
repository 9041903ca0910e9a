// Owns naming a secret in a config that code makes. A reference is known by identity: only what secret() returned is one,
// so a user's JSON that looks like it stays data (decision 0005). Lifting turns references into the text and slots that
// a rendered template has, and refuses them where the runner did not mark a place (S27).

import { PawlError } from '../core/errors.ts'
import { type Json, own } from '../core/json.ts'
import type { Rendered, SecretSlot } from '../core/template/render.ts'
import { assertSecretName } from './secret-name.ts'

declare const filledIn: unique symbol
/** To the compiler a text, because that is what the runner gets; in the process `{ "$secret": name }`. */
export type SecretText = string & { readonly [filledIn]: true }

export interface SecretTextOptions {
  /** Text in front of the value: `secret('crm_token', { before: 'Bearer ' })`. */
  readonly before?: string
}

const texts = new WeakMap<object, { readonly name: string; readonly before: string }>()

/** @example crm({ headers: { authorization: secret('crm_token', { before: 'Bearer ' }) } }) */
export const secret = (name: string, { before = '' }: SecretTextOptions = {}): SecretText => {
  assertSecretName(name)
  const made = { $secret: name, ...(before !== '' && { before }) }
  // Otherwise `Bearer ${secret('x')}` would send "[object Object]".
  Object.defineProperty(made, Symbol.toPrimitive, { value: () => refuseText(name) })
  texts.set(made, { name, before })
  return made as unknown as SecretText
}

/** Most configs name no secret: they are what plain() made of them. */
export const holdsReference = (config: unknown): boolean => {
  if (typeof config !== 'object' || config === null) return false
  return texts.has(config) || Object.values(config).some(holdsReference)
}

/**
 * `config` as code made it, which plain() has taken; what plain() leaves out is left out here too. `marks` are JSON pointers of the places where a secret may
 * stand, `*` for any one segment: `/headers/*`.
 */
export const liftReferences = (config: unknown, marks: readonly string[]): Rendered => {
  const secrets: SecretSlot[] = []
  const lift = (value: unknown, pointer: string): Json => {
    if (typeof value !== 'object' || value === null) return (value ?? null) as Json
    const reference = texts.get(value)
    if (reference === undefined) return liftMembers(value, (member, key) => lift(member, `${pointer}/${key}`))
    const { name, before } = reference
    if (!allowsSecret(marks, pointer)) throw notAllowed(name, pointer, marks)
    const placeholder = `{{secrets.${name}}}`
    secrets.push({ pointer, start: before.length, end: before.length + placeholder.length, name })
    return before + placeholder
  }
  return { value: lift(config, ''), secrets }
}

export const allowsSecret = (marks: readonly string[], pointer: string): boolean => {
  const segments = pointer.split('/')
  return marks.some((mark) => {
    const wanted = mark.split('/')
    return (
      wanted.length === segments.length && wanted.every((each, at) => each === '*' || each === segments[at])
    )
  })
}

const liftMembers = (value: object, lift: (member: unknown, key: string) => Json): Json => {
  if (Array.isArray(value)) return value.map((member, index) => lift(member, String(index)))
  const keys = Object.keys(value).filter((key) => own(value, key) !== undefined)
  return Object.fromEntries(
    keys.map((key) => [key, lift(own(value, key), key.replaceAll('~', '~0').replaceAll('/', '~1'))]),
  )
}

const refuseText = (name: string): never => {
  throw new PawlError('secret_not_allowed_here', `the secret ${name} cannot become part of a text here`, {
    expected: `secret('${name}', { before: 'Bearer ' }), or ctx.secret in the runner`,
  })
}

const notAllowed = (name: string, pointer: string, marks: readonly string[]): PawlError =>
  new PawlError('secret_not_allowed_here', `the secret ${name} would be shown at "${pointer.slice(0, 80)}"`, {
    path: pointer,
    expected: marks.length === 0 ? 'no secret in this config' : `a secret at ${marks.join(', ')}`,
  })
