// Owns what kind of definition a document is, by its `kind`, or by `actionId` for an action in a file of its own.

import { isObject, type Json } from '../core/json.ts'
import { type Problem, problem, quote, unknownName } from './problem.ts'

const KINDS = ['machine', 'action'] as const
export type DefinitionKind = (typeof KINDS)[number]

/** Names that definitions may have, and the kind each means. Their triggers are not part of this version. */
const LATER: ReadonlyMap<string, string> = new Map([
  ['journey', 'journey'],
  ['recurrence', 'recurrence'],
  ['recurring', 'recurrence'],
  ['stream', 'stream'],
  ['reconciler', 'reconciler'],
])

export const kindOf = (value: Json): DefinitionKind | Problem => {
  if (!isObject(value))
    return problem([], Array.isArray(value) ? 'the document is a list' : 'the document is not an object', {
      expected: 'one definition: an object with kind and id, or an action with actionId',
    })
  const { kind } = value
  if (kind === undefined && value['actionId'] !== undefined) return 'action'
  if (kind === undefined)
    return problem(['kind'], '“kind” is missing', { expected: `kind: ${KINDS.join(' or ')}` })
  const known = KINDS.find((word) => word === kind)
  if (known) return known
  const word = typeof kind === 'string' ? kind : JSON.stringify(kind)
  const later = LATER.get(word)
  if (later === undefined)
    return unknownName(
      ['kind'],
      `${quote(word)} is not a kind of definition`,
      word,
      [...KINDS, ...LATER.values()],
      {
        expected: KINDS.join(' or '),
      },
    )
  return problem(['kind'], `a ${later} is not supported by this version`, { expected: KINDS.join(' or ') })
}
