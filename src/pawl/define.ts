// Owns definitions as they are given to a running Pawl and shown by it: read, checked, written down once per content.
// What a definition may hold is src/definitions.

import type { MachineData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import type { Kind } from '../core/execution.ts'
import type { JsonObject } from '../core/json.ts'
import { loadDefinition, type ParsedDefinition } from '../definitions/parse.ts'
import type { Problem } from '../definitions/problem.ts'
import type { StoredDefinition } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { type Definition, knownOf } from './known.ts'
import type { Parts } from './parts.ts'

export interface Defined {
  readonly kind: Kind
  readonly id: string
  /** Counts the contents this definition has had, from 1. */
  readonly version: number
  readonly hash: string
  /** False: the same content was there already. */
  readonly isNew: boolean
  readonly warnings: readonly Problem[]
}

export interface DefinitionView {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly hash: string
  readonly createdAt: string
  readonly content: JsonObject
}

export interface DefinitionQuery {
  readonly kind?: Kind
  readonly id?: string
}

/** `expected`: the hash of the newest version must be this one, or with null there must be none. */
export interface DefineOptions {
  readonly expected?: string | null
}

const refused = (problems: readonly Problem[]): PawlError => {
  const [first] = problems
  return new PawlError(first!.code, `the definition is refused: ${first!.path} ${first!.message}`, {
    path: first!.path,
    ...(first!.expected !== undefined && { expected: first!.expected }),
    ...(first!.suggestion !== undefined && { suggestion: first!.suggestion }),
    problems,
  })
}

/** Whatever was made has the hash of its content; whatever is data may not have such a key. */
const isReady = (given: Definition | JsonObject): given is Definition => 'hash' in given

/** From data, or already made. */
const machineIn = (given: Definition | JsonObject) => {
  if (isReady(given)) return { known: knownOf(given), warnings: [] }
  const { definitions, problems } = loadDefinition(given)
  if (problems.some(({ severity }) => severity === 'error')) throw refused(problems)
  const [parsed] = definitions as readonly [ParsedDefinition]
  if (parsed.kind !== 'machine')
    throw new PawlError('invalid_definition', `the action “${parsed.id}” stands alone`, {
      path: 'kind',
      expected: 'a machine that has it among its `actions`',
    })
  return { known: knownOf(parsed), warnings: problems }
}

const view = ({ kind, id, version, hash, createdAt, content }: StoredDefinition): DefinitionView => ({
  kind,
  id,
  version,
  hash,
  createdAt: new Date(createdAt).toISOString(),
  content,
})

const newestFirst = (rows: readonly StoredDefinition[]): readonly StoredDefinition[] =>
  rows.toSorted((a, b) => b.version - a.version)

const assertExpected = (newest: StoredDefinition | undefined, expected: string | null): void => {
  if ((newest?.hash ?? null) === expected) return
  throw new PawlError(
    'precondition_failed',
    newest === undefined ? 'there is no such definition yet' : `the newest version is ${newest.hash}`,
    { expected: expected === null ? 'that there is none yet' : `that the newest version is ${expected}` },
  )
}

export const define =
  ({ engine, opened, clock, rules }: Parts, of: Tenancy) =>
  async (given: Definition | JsonObject, { expected }: DefineOptions = {}): Promise<Defined> => {
    const { known, warnings } = machineIn(given)
    const { kind, id, hash, content } = known
    if (content['code'] !== true) rules.assertFits(content as unknown as MachineData)
    const versions = newestFirst(await opened.reader.definitions(of, kind, id))
    if (expected !== undefined) assertExpected(versions[0], expected)
    const { namespace, tenant } = of
    const control = { kind: 'define' as const, definition: { kind, id, hash, content } }
    const result = await engine.commit({ namespace, tenant, at: clock.now(), control: [control] })
    if (result.status === 'refused') throw result.error
    const isNew = versions.every((each) => each.hash !== hash)
    return { kind, id, version: result.version!, hash, isNew, warnings }
  }

/** The newest version of each; of one that is named, all versions, newest first. */
export const definitions =
  ({ opened }: Parts, of: Tenancy) =>
  async ({ kind, id }: DefinitionQuery = {}): Promise<readonly DefinitionView[]> => {
    const rows = newestFirst(await opened.reader.definitions(of, kind, id))
    if (id !== undefined) return rows.map(view)
    const newest = new Map(rows.toReversed().map((row) => [`${row.kind} ${row.id}`, row]))
    return [...newest.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(view)
  }
