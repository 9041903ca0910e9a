// Owns how a refusal is told (RFC 9457): the code of the registry, where in the request it lies, and what would have been
// accepted. What nobody expected is told as `internal`, and only the log hears more.

import { type ErrorCode, explain, PawlError, REGISTRY } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'

export interface Told {
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

export interface Asked {
  /** The path, without its query: that may hold what is private. */
  readonly path: string
  readonly requestId: string
}

/** One thing that is wrong with a request. */
export interface Wrong {
  readonly path: string
  readonly message: string
  readonly expected?: string
  readonly suggestion?: string
}

const titleOf = (code: ErrorCode): string => {
  const words = code.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

const wrongsOf = ({ message, details }: PawlError): readonly Wrong[] => {
  const { path, expected, suggestion, problems } = details
  if (Array.isArray(problems)) return problems.map(wrongOf)
  if (path === undefined) return []
  return [
    wrongOf({
      path,
      message,
      ...(expected !== undefined && { expected }),
      ...(suggestion !== undefined && { suggestion }),
    }),
  ]
}

/** By name: a problem of a definition knows more than is of use to others. */
const wrongOf = (problem: Wrong & { readonly line?: number; readonly column?: number }): Wrong => {
  const { path, message, expected, suggestion, line, column } = problem
  return {
    path,
    message,
    ...(expected !== undefined && { expected }),
    ...(suggestion !== undefined && { suggestion }),
    ...(line !== undefined && { line, column }),
  }
}

const HEADERS: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  unauthenticated: { 'www-authenticate': 'Bearer realm="pawl"' },
}

/** What a caller is to know beside the words. */
const saidOf = ({ details }: PawlError): JsonObject => {
  const { status, underWay, scope } = details
  return {
    ...(typeof status === 'string' && { actual: status }),
    ...(Array.isArray(underWay) && { underWay: underWay.map(String) }),
    ...(typeof scope === 'string' && { scope }),
  }
}

export const asPawlError = (error: unknown): PawlError =>
  error instanceof PawlError
    ? error
    : new PawlError('internal', 'something went wrong inside; the log has it', {}, error)

export const tell = (error: PawlError, { path, requestId }: Asked): Told => {
  const { code, details } = error
  const { http: status } = REGISTRY[code]
  const detail = explain(error)
  const errors = wrongsOf(error)
  const given = details['headers'] as Readonly<Record<string, string>> | undefined
  return {
    status,
    code,
    headers: { ...HEADERS[code], ...given },
    body: {
      type: `/v1/docs#${code}`,
      title: titleOf(code),
      status,
      detail,
      instance: path,
      code,
      ...(errors.length > 0 && { errors: errors.map((wrong) => ({ ...wrong })) }),
      ...saidOf(error),
      requestId,
      error: detail,
    },
  }
}
