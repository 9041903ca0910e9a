// Owns turning a refusal of the server into the error a program catches: the same PawlError, with the same code, that the
// library would have thrown. A code this client does not know keeps its words and becomes `server_failed`.

import { type ErrorCode, PawlError, REGISTRY } from '../core/errors.ts'
import { isObject, type Json, own } from '../core/json.ts'

const isCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(REGISTRY, value)

const textOf = (body: Json | undefined, ...names: readonly string[]): string | undefined => {
  const found = names.map((name) => own(body, name)).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : undefined
}

/** What is told for people in one sentence is in the details again: the error says it once. */
const bare = (text: string, { expected, suggestion }: Readonly<Record<string, string>>): string =>
  text
    .replace(suggestion === undefined ? /$^/ : `; did you mean ${suggestion}?`, '')
    .replace(expected === undefined ? /$^/ : `; expected ${expected}`, '')

export const problemError = (status: number, body: Json | undefined): PawlError => {
  const told = own(body, 'code')
  const code = isCode(told) ? told : 'server_failed'
  const requestId = textOf(body, 'requestId')
  const errors = own(body, 'errors')
  const details = Object.fromEntries(
    ['path', 'expected', 'suggestion'].flatMap((name) => {
      const value = textOf(body, name) ?? (Array.isArray(errors) ? textOf(errors[0], name) : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const message = bare(textOf(body, 'detail', 'title', 'error') ?? `the server answered ${status}`, details)
  return new PawlError(code, code === told ? message : `${message} (${String(told ?? status)})`, {
    ...details,
    status,
    ...(requestId !== undefined && { requestId }),
    ...(isObject(body) && Array.isArray(errors) && { errors }),
  })
}
