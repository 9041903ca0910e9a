// Owns running a file of the user's as code: settings, definitions and runners written in TypeScript. Only files that the
// user's own command names are loaded, never one that came over the network or out of a store.

import { pathToFileURL } from 'node:url'
import { PawlError } from '../core/errors.ts'
import type { Definition } from '../pawl/known.ts'
import type { AnyRunner } from '../runners/runner.ts'

/** What a module exports, by name. */
export type Exports = Readonly<Record<string, unknown>>

export const loadModule = async (file: string): Promise<Exports> => {
  try {
    return (await import(pathToFileURL(file).href)) as Exports
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PawlError(
      'settings_invalid',
      `${file} cannot be loaded: ${reason.slice(0, 400)}`,
      { path: file },
      error,
    )
  }
}

export interface Code {
  readonly definitions: readonly Definition[]
  readonly runners: readonly AnyRunner[]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null

const isDefinition = (value: unknown): value is Definition =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['hash'] === 'string'

const isRunner = (value: unknown): value is AnyRunner =>
  isObject(value) && typeof value['type'] === 'string' && isObject(value['definition'])

/** Machines and runners among the exports, each once, lists looked into. */
export const codeIn = (exports: Exports): Code => {
  const found = new Set(Object.values(exports).flatMap((value) => (Array.isArray(value) ? value : [value])))
  return { definitions: [...found].filter(isDefinition), runners: [...found].filter(isRunner) }
}
