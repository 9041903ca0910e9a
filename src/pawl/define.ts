// Owns definitions as they are given to a running Pawl and shown by it: read, checked, written down once per content.
// What a definition may hold is src/definitions.

import type { MachineData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import type { Kind } from '../core/execution.ts'
import type { JsonObject } from '../core/json.ts'
import type { RecurrenceData } from '../core/triggers/recurrence-data.ts'
import { loadDefinition, type ParsedDefinition, type ParsedRecurrence } from '../definitions/parse.ts'
import type { Problem } from '../definitions/problem.ts'
import type { StoredDefinition } from '../store/reader.ts'
import type { DefinitionRow, Tenancy } from '../store/store.ts'
import { type Definition, isData, knownOf } from './known.ts'
import type { Parts } from './parts.ts'
import { applyDefined, isRemoved } from './recurring-defined.ts'

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

/** What is written down, and the recurrence that comes of it. */
interface Given {
  readonly row: DefinitionRow
  readonly recurrence?: ParsedRecurrence
  readonly warnings: readonly Problem[]
}

const rowOf = (definition: Definition): DefinitionRow => {
  if (!isData(definition)) return knownOf(definition)
  const { kind, id, hash, data } = definition
  return { kind, id, hash, content: data as unknown as JsonObject }
}

const ready = (definition: Definition, warnings: readonly Problem[] = []): Given => ({
  row: rowOf(definition),
  ...(isData(definition) && { recurrence: definition }),
  warnings,
})

/** From data, or already made. */
const readGiven = (given: Definition | JsonObject): Given => {
  if (isReady(given)) return ready(given)
  const { definitions, problems } = loadDefinition(given)
  if (problems.some(({ severity }) => severity === 'error')) throw refused(problems)
  const [parsed] = definitions as readonly [ParsedDefinition]
  if (parsed.kind !== 'action') return ready(parsed, problems)
  throw new PawlError('invalid_definition', `the action “${parsed.id}” stands alone`, {
    path: 'kind',
    expected: 'a machine that has it among its `actions`',
  })
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
  (parts: Parts, of: Tenancy) =>
  async (given: Definition | JsonObject, { expected }: DefineOptions = {}): Promise<Defined> => {
    const { engine, opened, clock, rules } = parts
    const { row, recurrence, warnings } = readGiven(given)
    const { kind, id, hash, content } = row
    if (content['code'] !== true) rules.assertFits(content as unknown as MachineData | RecurrenceData)
    const versions = newestFirst(await opened.reader.definitions(of, kind, id))
    if (expected !== undefined) assertExpected(versions[0], expected)
    // First, so that a process that dies in between leaves a definition that is still to be applied.
    if (recurrence !== undefined) await applyDefined(parts, of, recurrence)
    const { namespace, tenant } = of
    const control = { kind: 'define' as const, definition: { kind, id, hash, content } }
    const result = await engine.commit({ namespace, tenant, at: clock.now(), control: [control] })
    if (result.status === 'refused') throw result.error
    const isNew = versions.every((each) => each.hash !== hash)
    return { kind, id, version: result.version!, hash, isNew, warnings }
  }

/** What a program brings along: a version that a newer one has followed is left alone, and so is what a person removed. */
export const defineOwn = async (parts: Parts, of: Tenancy, own: ParsedRecurrence): Promise<boolean> => {
  const versions = newestFirst(await parts.opened.reader.definitions(of, own.kind, own.id))
  const isKnown = versions.some(({ hash }) => hash === own.hash)
  const stored = await parts.opened.reader.execution(of, own.id)
  const isAway = stored !== undefined && isRemoved(stored)
  if (isKnown && (versions[0]?.hash !== own.hash || isAway)) return false
  await define(parts, of)(own)
  return true
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
