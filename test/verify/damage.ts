// How a damage is written down: what is done to which row by raw SQL, and all that must be found then.

import type { JsonObject } from '../../src/core/json.ts'
import type { Where } from '../../src/verify/finding.ts'
import type { Names } from './fill.ts'
import type { Hammer } from './ground.ts'

export interface Damage {
  readonly name: string
  readonly make: (hammer: Hammer, names: Names) => Promise<void>
  /** `invariant rule`, all of them. */
  readonly finds: readonly string[]
  /** Where one of them is. */
  readonly at: (names: Names) => Where
}

type Statement = string | ((names: Names) => string)

export const by =
  (...statements: readonly Statement[]): Damage['make'] =>
  async ({ sql }, names) => {
    for (const one of statements) await sql(typeof one === 'string' ? one : one(names))
  }

export const json =
  (
    table: string,
    column: string,
    where: Statement,
    change: (value: JsonObject) => JsonObject,
  ): Damage['make'] =>
  (hammer, names) =>
    hammer.json(table, column, typeof where === 'string' ? where : where(names), change)

export const MINE: string = `namespace = 'default' and tenant = 'default'`
export const of = (execution: string): string => `${MINE} and execution = '${execution}'`
export const is = (execution: string): string => `${MINE} and id = '${execution}'`
export const execution = (id: string) => (): Where => ({
  namespace: 'default',
  tenant: 'default',
  execution: id,
})
export const named =
  (name: string) =>
  (names: Names): Where => ({ action: names[name]! })
export const update = (table: string, set: string, name: string) =>
  by((names) => `update ${table} set ${set} where id = '${names[name]}'`)

export const entry = (
  name: string,
  make: Damage['make'],
  finds: readonly string[],
  at: Damage['at'],
): Damage => ({
  name,
  make,
  finds,
  at,
})
