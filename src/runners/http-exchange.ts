// Owns one HTTP exchange of a runner: what is sent of a config, whether the answer is a success, and what is kept
// of it. Whether a place may be reached is the door's, what a refused status means is core's classify.
// H1  A success stays one: an answer that cannot be kept (too long, too deep, no JSON) is left out or kept as text.
// H2  Texts are kept whole or not at all: the redactor, which comes after, does not know half a secret.

import { ActionFailure, actionError } from '../core/action-error.ts'
import { classify } from '../core/classify.ts'
import { assertStorable, type Json, type JsonObject } from '../core/json.ts'
import { plain } from '../core/plain.ts'
import { readDestination } from '../egress/destination.ts'
import type { RunnerContext } from './runner-context.ts'

export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON if the answer is, else text; null when it is empty or was left out. */
  readonly data: Json
  /** Why data is null although there was an answer. */
  readonly omitted?: string
}

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

export interface Call {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly redirects?: number
  readonly sameOrigin?: boolean
}

/** With the headers and the rest of the event, still less than an event may hold (256 KiB). */
const MAX_DATA = 128 * 1024
const MAX_EXCERPT = 2000

/** The bytes of a payload, and what they are: text as it is, anything else as JSON. */
export const bodyOf = (
  payload: Json | undefined,
): { readonly body: string | undefined; readonly headers: Readonly<Record<string, string>> } => {
  if (payload === undefined) return { body: undefined, headers: {} }
  if (typeof payload === 'string')
    return { body: payload, headers: { 'content-type': 'text/plain; charset=utf-8' } }
  return { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }
}

/** Later ones win; names in lower case, so that two spellings are one header. */
export const mergeHeaders = (
  ...layers: readonly (Readonly<Record<string, string>> | undefined)[]
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    layers.flatMap((layer) =>
      Object.entries(layer ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  )

export const exchange = async (ctx: RunnerContext, call: Call): Promise<Answer> => {
  const { url, body, ...rest } = call
  // What a URL may be is said here, in words of ours, whatever the fetch that was given does with it first.
  readDestination(url)
  const response = await ctx.fetch(url, { ...rest, ...(body !== undefined && { body }) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** exhaustive when given; otherwise 2xx. */
export const isExpected = (status: number, expected: readonly number[] | undefined): boolean =>
  expected === undefined ? status >= 200 && status <= 299 : expected.includes(status)

export const resultOf = (answer: Answer): HttpResult => ({
  statusCode: answer.status,
  headers: shownHeaders(answer.headers),
  ...dataOf(answer),
})

/** F-082…F-088 and X-06, with what the other side said. */
export const refusalOf = (
  answer: Answer,
  expected: readonly number[] | undefined,
  now: number,
): ActionFailure => {
  const { status, headers } = answer
  const details = detailsOf(answer)
  if (status >= 300) {
    const failure = classify({ status, headers }, now)
    return new ActionFailure({ ...failure, error: actionError({ ...failure.error, details }) })
  }
  const message = `the status ${status} is not among expectedStatusCodes (${expected?.join(', ')})`
  return new ActionFailure({
    error: actionError({
      type: 'unknown_error',
      message,
      retryable: true,
      code: `HTTP_${status}`,
      details,
    }),
    // It was taken, though not as its sender expected.
    effect: 'unknown',
  })
}

/** A cookie is a credential of a session that nobody will continue. */
const shownHeaders = (headers: Answer['headers']): HttpResult['headers'] =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'))

const detailsOf = ({ status, headers, text }: Answer): JsonObject => {
  const location = headers.get('location')
  const isShort = text.length <= MAX_EXCERPT
  return {
    statusCode: status,
    ...(location !== undefined && location.length <= MAX_EXCERPT && { location }),
    ...(text !== '' && (isShort ? { body: text } : { omitted: left(text.length, MAX_EXCERPT) })),
  }
}

const left = (length: number, most: number): string =>
  `an answer of ${length} characters; at most ${most} are kept`

const dataOf = ({ headers, text }: Answer): Pick<HttpResult, 'data' | 'omitted'> => {
  if (text === '') return { data: null }
  const type = headers.get('content-type')
  const isJson = type === undefined || /[/+]json\b/i.test(type)
  const json = isJson ? parsed(text) : undefined
  const data = json === undefined ? text : json
  const { length } = JSON.stringify(data)
  return length > MAX_DATA ? { data: null, omitted: left(length, MAX_DATA) } : { data }
}

/** Levels that the result and its event put around it. */
const AROUND = 8

/** Undefined: it is not JSON, or none that could be stored (1e999, a thousand levels). */
const parsed = (text: string): Json | undefined => {
  try {
    const data = plain(JSON.parse(text))
    if (!data.fits) return undefined
    assertStorable(
      Array.from({ length: AROUND }).reduce<Json>((inner) => [inner], data.value),
      'an answer',
    )
    return data.value
  } catch {
    return undefined
  }
}
