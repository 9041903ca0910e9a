// Owns what a compiled rule is, and the fuel it burns: one step per operator, per item walked and per 256 characters
// read or written. Time and memory are bounded by the tank alone, whatever the rule and the data are.

import { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'

export const FUEL = 10_000
const CHARACTERS_PER_STEP = 256

/** Where a rule is being evaluated: its data, and inside an iteration the item's position and what lies around. */
export interface Point {
  readonly data: Json
  readonly tank: { left: number }
  readonly around?: { readonly point: Point; readonly iterator: readonly Json[]; readonly index: number }
}

export type Rule = (point: Point) => Json

/** Where an operator stands in the rule, and how it compiles what stands below it. */
export interface Site {
  readonly operator: string
  readonly place: string
  readonly compile: (value: Json, ...below: readonly string[]) => Rule
  /** The same for what runs once per item, where `var` reads the item and not the scope. */
  readonly compileInner: (value: Json, ...below: readonly string[]) => Rule
  /** Told of each path into the scope that is known beforehand. */
  readonly reads: (segments: readonly string[]) => void
}

/** Its argument, as written, becomes a rule. */
export type Operator = (argument: Json, site: Site) => Rule

export const burn = ({ tank }: Point, steps: number): void => {
  tank.left -= steps
  if (tank.left < 0)
    throw new PawlError('condition_limit_exceeded', `the condition takes more than ${FUEL} steps`, {
      expected: 'a smaller rule, or shorter lists and texts',
    })
}

export const burnCharacters = (point: Point, text: string): void =>
  burn(point, Math.floor(text.length / CHARACTERS_PER_STEP))

/** Names the operator and its place; what it was given may be anyone's data and is not shown. */
export const failed = ({ operator, place }: Site, why: string, expected: string): PawlError =>
  new PawlError('condition_failed', `"${operator}" ${why}`, { path: place, expected })

export const invalid = ({ operator, place }: Site, expected: string): PawlError =>
  new PawlError('invalid_condition', `"${operator}" cannot use these arguments`, { path: place, expected })
