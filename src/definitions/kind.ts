// Owns what kind of definition a document is, by its `kind`, or by `actionId` for an action in a file of its own.

import { isObject, type Json } from '../core/json.ts'
import { type Problem, problem, quote, unknownName } from './problem.ts'

const KINDS = ['machine', 'recurrence', 'action'] as const
export type DefinitionKind = (typeof KINDS)[number]

const EXPECTED = 'machine, recurrence or action'

/** Kinds whose triggers are not part of this version. */
const LATER: readonly string[] = ['journey', 'stream', 'reconciler']

export const kindOf = (value: Json): DefinitionKind | Problem => {
  if (!isObject(value))
    return problem([], Array.isArray(value) ? 'the document is a list' : 'the document is not an object', {
      expected: 'one definition: an object with kind and id, or an action with actionId',
    })
  const { kind } = value
  if (kind === undefined && value['actionId'] !== undefined) return 'action'
  if (kind === undefined) return problem(['kind'], '“kind” is missing', { expected: `kind: ${EXPECTED}` })
  const known = KINDS.find((word) => word === kind)
  if (known) return known
  if (kind === 'recurring') return 'recurrence'
  const word = typeof kind === 'string' ? kind : JSON.stringify(kind)
  if (LATER.includes(word))
    return problem(['kind'], `a ${word} is not supported by this version`, { expected: EXPECTED })
  const message = `${quote(word)} is not a kind of definition`
  return unknownName(['kind'], message, word, [...KINDS, ...LATER], { expected: EXPECTED })
}
