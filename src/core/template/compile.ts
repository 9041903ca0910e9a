// Owns turning a template into something that renders fast: every placeholder is read once, whatever holds none is
// shared as it is, and the cost of the fixed text is paid here. Templates are data and must not change afterwards.

import { PawlError } from '../errors.ts'
import { type Json, MAX_JSON_DEPTH, MAX_JSON_LENGTH } from '../json.ts'
import type { Read, Run } from './call.ts'
import { compileExpression } from './expression.ts'
import { memoise } from './memo.ts'
import {
  escapedLength,
  MAX_WORK,
  type Meter,
  spend,
  spendContainer,
  spendScalar,
  spendValue,
} from './meter.ts'
import { type Expression, type Part, parse } from './parse.ts'
import { written } from './shown.ts'
import { textOf } from './text.ts'

/** Where a rendered value still refers to a secret. */
export interface SecretSlot {
  /** JSON pointer to the string in the rendered value. */
  readonly pointer: string
  /** The range of `{{secrets.name}}` in it. */
  readonly start: number
  readonly end: number
  readonly name: string
}

export interface Rendering extends Run {
  readonly secrets: SecretSlot[]
}

type Node = (run: Rendering) => Json

export interface Compiled {
  /** Undefined: there is nothing to fill in, the template is its own rendering. */
  readonly node: Node | undefined
  /** What the fixed parts leave of the length. */
  readonly room: number
  /** Every use of a secret, in order. */
  readonly secrets: readonly { readonly name: string; readonly pointer: string }[]
}

/** Told of everything found on the way. To render, `problem` throws; to check, it takes note. */
export interface Inspector {
  readonly problem: (problem: PawlError) => void
  readonly expression: (expression: Expression, place: string) => void
}

/** Longer texts are rare, and a stranger could fill the memo with them. */
export const MAX_MEMOISED_LENGTH = 1024

const byIdentity = new WeakMap<object, Compiled>()
const byText = memoise((template: string) => inspect(template, STRICT))

const STRICT: Inspector = {
  problem: (problem) => {
    throw problem
  },
  expression: () => {},
}

export const compile = (template: Json): Compiled => {
  if (typeof template === 'string' && template.length <= MAX_MEMOISED_LENGTH) return byText(template)
  if (typeof template !== 'object' || template === null) return inspect(template, STRICT)
  const known = byIdentity.get(template)
  if (known !== undefined) return known
  const compiled = inspect(template, STRICT)
  byIdentity.set(template, compiled)
  return compiled
}

interface Building extends Meter {
  readonly inspector: Inspector
  readonly secrets: { name: string; pointer: string }[]
}

export const inspect = (template: Json, inspector: Inspector): Compiled => {
  const building = { room: MAX_JSON_LENGTH, work: MAX_WORK, place: '', inspector, secrets: [] }
  const node = compileValue(template, [], building)
  return { node, room: building.room, secrets: building.secrets }
}

const compileValue = (value: Json, segments: readonly string[], building: Building): Node | undefined => {
  building.place = written(segments)
  if (typeof value === 'string') return compileString(value, segments, building)
  if (typeof value === 'object' && value !== null) return compileContainer(value, segments, building)
  spendScalar(building, value)
  return undefined
}

const compileContainer = (
  value: Json & object,
  segments: readonly string[],
  building: Building,
): Node | undefined => {
  spendContainer(building, value, MAX_JSON_DEPTH - segments.length)
  const filled: (readonly [string, Node])[] = []
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') building.inspector.problem(forbiddenKey(building.place))
    const node = compileValue(member, [...segments, key], building)
    if (node !== undefined) filled.push([key, node])
  }
  if (filled.length === 0) return undefined
  return (run) => {
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>
    for (const [key, node] of filled) copy[key] = node(run)
    return copy
  }
}

const compileString = (text: string, segments: readonly string[], building: Building): Node | undefined => {
  const { place } = building
  const parts = readParts(text, building)
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'value') {
    const levels = MAX_JSON_DEPTH - segments.length
    return (run) => {
      run.place = place
      const value = only.read(run)
      spendValue(run, value, levels)
      return value
    }
  }
  if (parts.every((part) => part.kind === 'text')) {
    spendScalar(building, text)
    return undefined
  }
  const pointer = pointerOf(segments)
  spend(building, 2)
  const pieces = parts.map((part) => pieceOf(part, pointer, building))
  return (run) => {
    run.place = place
    let rendered = ''
    for (const piece of pieces) rendered += piece(run, rendered.length)
    return rendered
  }
}

type Ready = Exclude<Part, Expression> | { readonly kind: 'value'; readonly read: Read }

const readParts = (text: string, { inspector, place }: Building): readonly Ready[] => {
  try {
    return parse(text).map((part): Ready => {
      if (part.kind !== 'expression') return part
      inspector.expression(part, place)
      return { kind: 'value', read: compileExpression(part) }
    })
  } catch (thrown) {
    const { code, message, details } = thrown as PawlError
    inspector.problem(new PawlError(code, message, { path: place, ...details }))
    return []
  }
}

/** Appends to a text that is `start` characters long. */
type Piece = (run: Rendering, start: number) => string

const pieceOf = (part: Ready, pointer: string, building: Building): Piece => {
  if (part.kind === 'value')
    return (run) => {
      const text = textOf(part.read(run))
      spend(run, escapedLength(text))
      return text
    }
  const { text } = part
  spend(building, escapedLength(text))
  if (part.kind === 'text') return () => text
  const { name } = part
  building.secrets.push({ name, pointer })
  return ({ secrets }, start) => {
    secrets.push({ pointer, start, end: start + text.length, name })
    return text
  }
}

const pointerOf = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Assigning to it would change the prototype of the rendered object instead. */
const forbiddenKey = (place: string): PawlError =>
  new PawlError('invalid_template', 'a key of a template may not be "__proto__"', { path: place })
