// Owns the errors of the network, told apart by one question: had a byte of the request left? Those for which none had
// carry `syscall: 'connect'`, from which classify() concludes that there was no effect. Node's code is kept.

export type Fault = Error & { readonly code: string; readonly syscall?: string }

const codeOf = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' && code !== '' ? code : 'ECONNRESET'
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Not a byte of the request left. */
export const unreached = (code: string, message: string, cause?: unknown): Fault =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code, syscall: 'connect' })

/** Nothing is opened once the door was closed. */
export const assertOpen = (closing: AbortSignal): void => {
  if (closing.aborted) throw unreached('ECONNRESET', 'the door to the network is closed')
}

/** The request, or a part of it, may have arrived. */
export const broken = (code: string, message: string, cause?: unknown): Fault =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code })

export const unreachedBy = (host: string, cause: unknown): Fault =>
  unreached(codeOf(cause), `cannot reach ${host}: ${textOf(cause)}`, cause)

export const brokenBy = (host: string, cause: unknown): Fault =>
  broken(codeOf(cause), `the exchange with ${host} broke: ${textOf(cause)}`, cause)

/** A kept-alive connection that the server had already closed; as likely as not, nothing arrived. */
export const staleBy = (host: string, cause: unknown): Fault =>
  Object.assign(brokenBy(host, cause), { isStale: true })

export const isStale = (error: unknown): boolean =>
  (error as { readonly isStale?: unknown } | undefined)?.isStale === true

export const isUnreached = (error: unknown): boolean =>
  (error as { readonly syscall?: unknown } | undefined)?.syscall === 'connect'
