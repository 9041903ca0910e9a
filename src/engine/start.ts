// Owns the beginning of an execution: its first decision and its first commit are one. The same id with the same input is
// the same execution, with other input a conflict.

import { PawlError } from '../core/errors.ts'
import { type Event, startedEvent } from '../core/event.ts'
import { blankExecution, type Execution } from '../core/execution.ts'
import { fold } from '../core/fold.ts'
import { chainStart } from '../core/history.ts'
import { assertStorable, canonical, type JsonObject } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import { nativeSha256Hex } from '../store/native-hash.ts'
import type { Advance, Control, Delivered, ExecutionRef, Result, Store, Tenancy } from '../store/store.ts'
import { type ExecutionCache, keyOf } from './cache.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { Directory, Known } from './directory.ts'
import { assertId } from './ids.ts'
import { newAction, refusal } from './move.ts'
import type { Chance } from './random.ts'
import type { Serial } from './serial.ts'

export interface StartInput {
  readonly id?: string
  readonly variables?: JsonObject
}

export interface Started {
  readonly execution: Execution
  /** False: it was there already, started with the same input. */
  readonly isNew: boolean
}

export interface StartParts {
  readonly store: Pick<Store, 'load'>
  readonly directory: Directory
  readonly cache: ExecutionCache
  readonly clock: Clock
  readonly chance: Chance
  /** The engine's own: what it wrote stays written, which inside the caller's transaction is not sure. */
  readonly commit: Commit
  /** Its first action may have ended before it is remembered: whoever moves it on waits for that. */
  readonly serial: Serial
}

export interface Starting {
  readonly start: (of: Tenancy, definition: string, input: StartInput, commit: Commit) => Promise<Started>
  /** Writes down what this process knows, so that others can name it. */
  readonly define: (of: Tenancy) => Promise<void>
}

export const createStarting = (parts: StartParts): Starting => {
  const defined = new Set<string>()

  /** Written down once, so that every process can name it, and those that can compile it use it. */
  const define = async ({ namespace, tenant }: Tenancy, known: Known, commit: Commit): Promise<void> => {
    const { kind, id, hash, content } = known
    const key = `${namespace}\u0000${tenant}\u0000${id}\u0000${hash}`
    if (defined.has(key) || known.isBuiltIn) return
    const control: Control = { kind: 'define', definition: { kind, id, hash, content } }
    const result = await commit({ namespace, tenant, at: parts.clock.now(), control: [control] })
    if (result.status === 'refused') throw result.error
    if (commit === parts.commit) defined.add(key)
  }

  return {
    start: async (of, definition, input, commit) => {
      const known = parts.directory.ownOf(definition) ?? (await findDefinition(parts, of, definition))
      if (known !== undefined) await define(of, known, commit)
      return begin(parts, of, { definition, known, ...input }, commit)
    },
    define: async (of) => {
      for (const known of parts.directory.own) await define(of, known, parts.commit)
    },
  }
}

/** Undefined: it exists, and its code is elsewhere. */
const findDefinition = async (
  { directory }: StartParts,
  of: Tenancy,
  id: string,
): Promise<Known | undefined> => {
  const known = await directory.find(of, id)
  if (known !== undefined || (await directory.isDefined(of, id))) return known
  const suggestion = nearest(
    id,
    directory.own.map((own) => own.id),
  )
  throw new PawlError('definition_unknown', `there is no definition “${id.slice(0, 80)}”`, {
    path: 'definition',
    expected: 'one given to Pawl.open, or stored before',
    ...(suggestion !== undefined && { suggestion }),
  })
}

interface Beginning extends StartInput {
  readonly definition: string
  readonly known: Known | undefined
}

const begin = async (
  parts: StartParts,
  { namespace, tenant }: Tenancy,
  { definition, known, id: givenId, variables = {} }: Beginning,
  commit: Commit,
): Promise<Started> => {
  const { clock, chance, cache } = parts
  const now = clock.now()
  const id = givenId ?? chance.id('exe', now)
  assertId(id, 'id')
  assertStorable(variables, 'variables')
  const born = blankExecution({
    id,
    namespace,
    tenant,
    kind: known?.kind ?? 'machine',
    definition,
    definitionHash: known?.hash ?? '',
  })
  const { advance: first, deliver } = firstStep(parts, born, startedEvent(id, variables, now), known)
  const inputHash = nativeSha256Hex(canonical([definition, variables]))
  const advance = { ...first, inputHash, ...(givenId === undefined && { isDrawn: true as const }) }
  const { execution } = advance
  const isInside = commit !== parts.commit
  const write = async (): Promise<Result> => {
    const result = await commit({ namespace, tenant, at: now, advance, deliver })
    const { status, revision, chain } = result
    if (status === 'ok' && !isInside)
      cache.set({ execution, revision: revision!, chain: chain!, createdAt: now, updatedAt: now })
    return result
  }
  const ref = { namespace, tenant, id }
  const result = isInside ? await write() : await parts.serial(keyOf(ref), write)
  if (result.status === 'refused') throw result.error
  if (result.status !== 'ok') return existing(parts, ref, result, isInside ? execution : undefined)
  return { execution, isNew: true }
}

/** `unseen`: what the caller's own transaction may have begun, where nobody else can see it yet. */
const existing = async (
  { store }: StartParts,
  ref: ExecutionRef,
  { status }: Pick<Result, 'status'>,
  unseen: Execution | undefined,
): Promise<Started> => {
  if (status === 'conflict')
    throw new PawlError('execution_exists', `the execution “${ref.id}” was started with other input`, {
      path: 'id',
      expected: 'the same definition and variables, or another id',
    })
  const [loaded] = await store.load([ref])
  if (loaded === undefined && unseen !== undefined) return { execution: unseen, isNew: false }
  if (loaded === undefined) throw new PawlError('execution_not_found', `“${ref.id}” has been removed`)
  if ('unreadable' in loaded) throw loaded.unreadable
  return { execution: loaded.execution, isNew: false }
}

interface FirstStep {
  readonly advance: Omit<Advance, 'inputHash'>
  readonly deliver: readonly Delivered[]
}

/** The step, decided here; or, where the code is elsewhere, the bare execution with its first event waiting. */
const firstStep = (
  { chance }: StartParts,
  born: Execution,
  event: Event,
  known: Known | undefined,
): FirstStep => {
  const { at: now } = event
  const bare = {
    execution: born,
    expected: 0,
    chain: chainStart(born.namespace, born.tenant, born.id, nativeSha256Hex),
    consume: [],
    actions: [],
    timers: [],
    cancel: { timers: [], actions: [] },
    history: [],
  }
  if (known === undefined) return { advance: bare, deliver: [{ execution: born.id, event }] }
  const draw = (): string => chance.id('act', now)
  const folded = fold(known.decide, born, [event], { now, draw })
  if (folded.failure) throw refusal(folded.failure.thrown, known)
  const { execution, actions, timers, occurrences, steps, rest } = folded
  return {
    advance: {
      ...bare,
      execution,
      actions: actions.map((action) => newAction(action, born)),
      timers,
      ...(occurrences.length > 0 && { occurrences }),
      history: steps.map(({ history }) => ({ ...history, at: now })),
    },
    deliver: rest.map((each) => ({ execution: born.id, event: each })),
  }
}
