// What a case asserts with. Values are compared by their canonical JSON, so that key order and absent members, which no
// port promises, make no difference; a failure shows both texts.

import { PawlError } from '../../core/errors.ts'
import { canonical, isObject } from '../../core/json.ts'

const SHOWN = 1500
const BEFORE = 300
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

export const same = (actual: unknown, expected: unknown, what: string): void => {
  const [is, should] = [canonical(actual), canonical(expected)]
  if (is === should) return
  // Long texts from shortly before they part.
  const parting =
    Array.from({ length: is.length }, (_, at) => at).find((at) => is[at] !== should[at]) ?? is.length
  const from = is.length + should.length > SHOWN ? Math.max(0, parting - BEFORE) : 0
  throw new Error(`${what}\n  expected ${cut(should.slice(from))}\n  was      ${cut(is.slice(from))}`)
}

/** Only the members that are named; `undefined` says that there is none. */
export const has = (actual: unknown, expected: object, what: string): void => {
  if (!isObject(actual)) throw new Error(`${what}: ${cut(canonical(actual))} is no object`)
  const named = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]]))
  same(named, expected, what)
  for (const [key, value] of Object.entries(expected))
    if (value === undefined && actual[key] !== undefined)
      throw new Error(`${what}: ${key} should be absent, and is ${cut(canonical(actual[key]))}`)
}

export const isTrue = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what)
}

/** Rows of a verb that may also tell of unreadable ones: here there must be none. */
export const sound = <Row extends object>(
  rows: readonly Row[],
): readonly Exclude<Row, { readonly unreadable: PawlError }>[] => {
  for (const row of rows) if ('unreadable' in row) throw row.unreadable
  return rows as readonly Exclude<Row, { readonly unreadable: PawlError }>[]
}

export const rejects = async (code: string, work: () => Promise<unknown>, what: string): Promise<void> => {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PawlError) || error.code !== code)
    throw new Error(`${what}: should be refused with ${code}, and was ${String(error ?? 'answered')}`)
}
