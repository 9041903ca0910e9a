// Owns the services that api_call may speak to. They are the operator's: a definition names one and a path below it, so
// that nothing a tenant writes decides which origin sees the credentials (F-014, S17).

import { permanent } from '../../core/action-error.ts'
import { nearest } from '../../core/suggest.ts'
import { resolveEndpoint } from '../../egress/endpoint.ts'

export interface Api {
  readonly baseUrl: string
  /** Sent with every call; those of the action win. */
  readonly headers?: Readonly<Record<string, string>>
  /** What one call costs, in whatever unit the tenant counts. */
  readonly cost?: number
}

export type ApiOf = (name: string) => Api

export const readApis = (given: Readonly<Record<string, Api>>): ApiOf => {
  const apis = new Map(Object.entries(given))
  // A base that cannot be read is said when the process starts, not when the first action fails.
  for (const { baseUrl } of apis.values()) resolveEndpoint(baseUrl, '')
  return (name) => {
    const api = apis.get(name)
    if (api !== undefined) return api
    const suggestion = nearest(name, apis.keys())
    throw permanent(
      'invalid_configuration',
      `there is no service “${name.slice(0, 80)}”; ${
        suggestion === undefined ? 'expected its baseUrl under services' : `did you mean ${suggestion}?`
      }`,
    )
  }
}

type Query = Readonly<Record<string, string | readonly string[]>>

/** As it is written behind the endpoint: URL's own searchParams would write the endpoint's query anew. */
export const urlOf = (api: Api, endpoint: string, query: Query): string => {
  const url = resolveEndpoint(api.baseUrl, endpoint)
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  if (pairs.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`
}
