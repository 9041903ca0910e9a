// Owns comparing what a test expects with what there is: of objects the named members, of lists everything, in order.

import { canonical, isObject, own } from '../core/json.ts'

export interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

export const differences = (expected: unknown, actual: unknown, path: string): readonly Difference[] => {
  if (isObject(expected) && isObject(actual))
    return Object.keys(expected).flatMap((key) =>
      differences(expected[key], own(actual, key), path === '' ? key : `${path}.${key}`),
    )
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => differences(item, actual[index], `${path}.${index}`))
  const isSame = expected === actual || (expected !== undefined && canonical(expected) === canonical(actual))
  return isSame ? [] : [{ path, expected, actual }]
}
