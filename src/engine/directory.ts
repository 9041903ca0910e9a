// Owns which definitions this process can decide by, and which of them an execution is to be decided by now. Definitions
// given at the start are this program's own; others are read from the store when an execution needs them, if they are
// data. It decides nothing itself.
// D1  An execution is never moved back to an older version while a process that knows the newer one is alive.

import type { Decide } from '../core/decision.ts'
import type { Execution, Kind } from '../core/execution.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Reader, StoredDefinition } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'

/** A definition this process can decide by. */
export interface Known {
  readonly kind: Kind
  readonly id: string
  readonly hash: string
  readonly decide: Decide
  /** What it would do with an execution made by another version of it. */
  readonly adopt: (execution: Execution) => 'same' | 'moved' | 'pinned' | 'incompatible'
  /** The payload as it will be kept, or `event_invalid`. */
  readonly checkEvent: (type: string, payload: unknown) => Json
  /** Every process has it: it is not written down. */
  readonly isBuiltIn?: true
  /** As it is written down, for people and for processes that can compile it. */
  readonly content: JsonObject
}

/** By what an execution is to be decided here and now. */
export type Place =
  | { readonly kind: 'known'; readonly known: Known; readonly moved: boolean }
  /** Another process must do it: the code, or this version of it, is not here. */
  | { readonly kind: 'elsewhere' }
  /** The running version has no place for it. */
  | { readonly kind: 'incompatible'; readonly known: Known }

export interface DirectoryOptions {
  readonly own: readonly Known[]
  readonly reader: Pick<Reader, 'definitions'>
  /** Makes a stored definition one that decides; undefined when only its author's code can. */
  readonly compile: (stored: StoredDefinition) => Known | undefined
  /** `id@hash` of what live processes know. */
  readonly isAlive: (definition: string, hash: string) => Promise<boolean>
}

export interface Directory {
  /** One of this program's own, by its id, for whoever need not wait for another. */
  readonly ownOf: (id: string) => Known | undefined
  readonly place: (execution: Execution) => Promise<Place>
  /** By its id, newest version: for starting. */
  readonly find: (of: Tenancy, id: string) => Promise<Known | undefined>
  /** Is there any version of it in the store? */
  readonly isDefined: (of: Tenancy, id: string) => Promise<boolean>
  /** The ids of everything this process may decide by, for reading the inbox. */
  readonly ids: () => readonly string[]
  readonly own: readonly Known[]
}

export const createDirectory = (options: DirectoryOptions): Directory => {
  const { own } = options
  const ownById = new Map(own.map((known) => [known.id, known]))
  const stored = createStoredDefinitions(options)

  /** D1. */
  const isNewer = async (execution: Execution, known: Known): Promise<boolean> => {
    const versions = await stored.versions(execution, execution.definition)
    const numberOf = (hash: string): number => versions.find((each) => each.hash === hash)?.version ?? 0
    const { definition, definitionHash } = execution
    return numberOf(definitionHash) > numberOf(known.hash) && options.isAlive(definition, definitionHash)
  }

  const place = async (execution: Execution): Promise<Place> => {
    const { definition, definitionHash } = execution
    const known = ownById.get(definition)
    if (known?.hash === definitionHash) return { kind: 'known', known, moved: false }
    // Begun by a process that had no version to give it: the first that knows one does.
    if (known !== undefined && definitionHash === '') return { kind: 'known', known, moved: true }
    const adopted = known?.adopt(execution)
    if (known === undefined || adopted === 'pinned') {
      const exact = await stored.exact(execution, definition, definitionHash)
      return exact === undefined ? { kind: 'elsewhere' } : { kind: 'known', known: exact, moved: false }
    }
    if (await isNewer(execution, known)) return { kind: 'elsewhere' }
    return adopted === 'incompatible'
      ? { kind: 'incompatible', known }
      : { kind: 'known', known, moved: true }
  }

  return {
    ownOf: (id) => ownById.get(id),
    place,
    find: async (of, id) => ownById.get(id) ?? stored.newest(of, id),
    isDefined: async (of, id) => (await stored.versions(of, id)).length > 0,
    ids: () => [...new Set([...ownById.keys(), ...stored.ids()])],
    own,
  }
}

/** Definitions of the store, compiled when they are first needed. They are immutable, so once is enough. */
const createStoredDefinitions = ({ reader, compile }: DirectoryOptions) => {
  const compiled = new Map<string, Known | undefined>()
  const keyOf = ({ namespace, tenant }: Tenancy, id: string, hash: string): string =>
    JSON.stringify([namespace, tenant, id, hash])

  const versions = ({ namespace, tenant }: Tenancy, id: string): Promise<readonly StoredDefinition[]> =>
    reader.definitions({ namespace, tenant }, 'machine', id)

  const compileOnce = (of: Tenancy, stored: StoredDefinition): Known | undefined => {
    const key = keyOf(of, stored.id, stored.hash)
    if (!compiled.has(key)) compiled.set(key, compile(stored))
    return compiled.get(key)
  }

  return {
    versions,
    exact: async (of: Tenancy, id: string, hash: string): Promise<Known | undefined> => {
      const key = keyOf(of, id, hash)
      if (compiled.has(key)) return compiled.get(key)
      const version = (await versions(of, id)).find((each) => each.hash === hash)
      return version && compileOnce(of, version)
    },
    newest: async (of: Tenancy, id: string): Promise<Known | undefined> => {
      const latest = (await versions(of, id)).toSorted((a, b) => b.version - a.version)[0]
      return latest && compileOnce(of, latest)
    },
    ids: (): readonly string[] => [...compiled.values()].flatMap((known) => known?.id ?? []),
  }
}
