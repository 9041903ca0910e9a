// Owns the way from a text, or a value that somebody else has parsed, to definitions: which kind each document is,
// its shape, its sense, and the machine it compiles to. All problems of a document are told at once, in order of
// place; a document with an error gives no definition.

import { type ActionData, definitionHash, type MachineData } from '../core/definition.ts'
import type { Json } from '../core/json.ts'
import type { Machine } from '../core/triggers/machine.ts'
import { compileMachine } from '../core/triggers/machine-data.ts'
import type { RecurrenceData } from '../core/triggers/recurrence-data.ts'
import { actionProblems } from './check-action.ts'
import { checkMachine } from './check-machine.ts'
import { type LooseRecurrence, recurrenceProblems } from './check-recurrence.ts'
import { fitShape } from './issues.ts'
import { type DefinitionKind, kindOf } from './kind.ts'
import { type LooseAction, type LooseMachine, unexplained, withoutRefused } from './loose.ts'
import { scopeNames } from './names.ts'
import { firstOf, type PlacedProblem, type Problem } from './problem.ts'
import { readValue } from './read-value.ts'
import { actionFile } from './shape/action.ts'
import { machineFile } from './shape/machine.ts'
import { recurrenceFile } from './shape/recurrence.ts'
import { type Format, readSource } from './source.ts'
import { checkOf, type ValueCheck } from './value-check.ts'

interface Parsed<Kind extends DefinitionKind, Data> {
  readonly kind: Kind
  readonly id: string
  readonly hash: string
  readonly data: Data
  /** Where a problem of it stands; absent when it was not read from a text. */
  readonly place?: (problem: Problem) => PlacedProblem
}

export interface ParsedMachine extends Parsed<'machine', MachineData> {
  readonly machine: Machine
  /** The payload of each declared event as it will be kept, or `event_invalid`. */
  readonly payloads: ReadonlyMap<string, ValueCheck<Json>>
}

export type ParsedAction = Parsed<'action', ActionData>
export type ParsedRecurrence = Parsed<'recurrence', RecurrenceData>
export type ParsedDefinition = ParsedMachine | ParsedRecurrence | ParsedAction

export interface Loaded<P extends Problem = Problem> {
  readonly definitions: readonly ParsedDefinition[]
  readonly problems: readonly P[]
}

/** A machine's `of` may name an action of another file, so that is for linkActions to check. */
export const parseDefinitions = (
  text: string,
  { file, format }: { readonly file: string; readonly format?: Format },
): Loaded<PlacedProblem> => {
  const source = readSource(text, file, format)
  const definitions: ParsedDefinition[] = []
  const problems: PlacedProblem[] = [...source.problems]
  for (const { value, place } of source.documents) {
    const loaded = loadValue(value, true)
    problems.push(...loaded.problems.map(place))
    definitions.push(...loaded.definitions.map((definition) => ({ ...definition, place })))
    if (problems.length > MAX_PROBLEMS) break
  }
  return { definitions, problems: problems.sort(byPlace) }
}

/** For values from programs and the HTTP API: one definition, complete in itself. */
export const loadDefinition = (value: unknown): Loaded => {
  const read = readValue(value)
  return read.problems.length > 0
    ? { definitions: [], problems: read.problems }
    : loadValue(read.value, false)
}

/** Documents after this many problems are not looked at. */
const MAX_PROBLEMS = 200

const byPlace = (a: PlacedProblem, b: PlacedProblem): number => a.line - b.line || a.column - b.column

const loadValue = (value: Json, isOpen: boolean): Loaded => {
  const kind = kindOf(value)
  if (typeof kind !== 'string') return { definitions: [], problems: [kind] }
  if (kind === 'machine') return loadMachine(value, isOpen)
  return kind === 'recurrence' ? loadRecurrence(value) : loadAction(value)
}

const loadMachine = (value: Json, isOpen: boolean): Loaded => {
  const fitted = fitShape(machineFile(), value)
  const machine = withoutRefused(value, fitted.problems) as LooseMachine
  const isPartial = fitted.problems.length > 0
  const checked = checkMachine(machine, { isOpen, isPartial })
  const problems = [...fitted.problems, ...unexplained(checked, fitted.problems)]
  if (!fitted.value || problems.some(isError)) return { definitions: [], problems }
  const { $schema, ...data } = fitted.value
  return { definitions: [parsedMachine(data)], problems }
}

const loadAction = (value: Json): Loaded => {
  const fitted = fitShape(actionFile(), value)
  const action = withoutRefused(value, fitted.problems) as LooseAction
  const checked = firstOf(actionProblems(action, [], scopeNames(undefined)))
  const problems = [...fitted.problems, ...unexplained(checked, fitted.problems)]
  if (!fitted.value || problems.some(isError)) return { definitions: [], problems }
  const { $schema, kind, ...data } = fitted.value
  return {
    definitions: [{ kind: 'action', id: data.actionId, hash: definitionHash(data), data }],
    problems,
  }
}

/** `recurring` is another word for it: written either way, it is the same content. */
const loadRecurrence = (value: Json): Loaded => {
  const fitted = fitShape(recurrenceFile(), value)
  const recurrence = withoutRefused(value, fitted.problems) as LooseRecurrence
  const checked = firstOf(recurrenceProblems(recurrence))
  const problems = [...fitted.problems, ...unexplained(checked, fitted.problems)]
  if (!fitted.value || problems.some(isError)) return { definitions: [], problems }
  const { $schema, ...written } = fitted.value
  const data = { ...written, kind: 'recurrence' as const }
  return { definitions: [{ kind: 'recurrence', id: data.id, hash: definitionHash(data), data }], problems }
}

export const parsedMachine = (data: MachineData): ParsedMachine => {
  const machine = compileMachine(data, checkOf(data.variables, 'variables_invalid', 'variables'))
  const payloads = Object.entries(data.events ?? {}).map(
    ([event, schema]) => [event, checkOf<Json>(schema, 'event_invalid', 'payload')] as const,
  )
  return { kind: 'machine', id: data.id, hash: machine.hash, data, machine, payloads: new Map(payloads) }
}

const isError = ({ severity }: Problem): boolean => severity === 'error'
