// Owns reading YAML text: one document for each --- section, YAML 1.2 core schema (so `on`, `yes` and timestamps stay
// text), every part with its offset. Aliases are written out and paid for; merge keys and tags are refused.

import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Json } from '../core/json.ts'
import type { Budget, Size } from './limits.ts'
import type { Mark, Marked } from './marks.ts'
import { type Path, quote } from './problem.ts'
import { yamlWording } from './yaml-errors.ts'
import { yamlTokens } from './yaml-tokens.ts'

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // Compares every key with every other; the budget's own check does not.
  uniqueKeys: false,
} as const

interface Reading {
  readonly budget: Budget
  readonly anchors: Map<string, Part & { readonly size: Size }>
}

interface Part extends Marked {
  /** How many levels it nests: 0 for a scalar. */
  readonly height: number
}

/** Null documents (an empty file, a trailing ---) are left out. */
export const readYaml = (text: string, budget: Budget): readonly Marked[] =>
  [...new Composer(OPTIONS).compose(yamlTokens(text, budget), true, text.length)].flatMap((document) =>
    readDocument(document, text, budget),
  )

/** Of several syntax errors the first is told: the others mostly follow from it. */
const readDocument = (
  { errors, contents }: Document.Parsed,
  text: string,
  budget: Budget,
): readonly Marked[] => {
  const [first] = errors
  if (first) {
    const { message, expected } = yamlWording(first, text)
    budget.reject([], first.pos[0], message, expected)
    return []
  }
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  const before = budget.rejections.length
  const root = readNode({ budget, anchors: new Map() }, contents, [], 0)
  return budget.rejections.length > before ? [] : [root]
}

const readNode = (reading: Reading, node: ParsedNode, at: Path, depth: number): Part => {
  const { budget, anchors } = reading
  const offset = node.range[0]
  if (isAlias(node)) return readAlias(reading, node.source, offset, at, depth)
  refuseTag(node, at, budget)
  const before = budget.size()
  budget.value(isScalar(node) ? depth : depth + 1, at, offset)
  const part = isMap(node)
    ? readMap(reading, node, at, depth + 1)
    : isSeq(node)
      ? readSeq(reading, node, at, depth + 1)
      : readScalar(reading, node, at)
  if (node.anchor !== undefined) anchors.set(node.anchor, { ...part, size: spent(before, budget.size()) })
  return part
}

/** A tag gives a value another type than the one it shows. */
const refuseTag = ({ tag, range }: ParsedNode, at: Path, budget: Budget): void => {
  if (tag === undefined) return
  const shown = quote(tag.replace('tag:yaml.org,2002:', '!!'))
  budget.reject(at, range[0], `the value carries the tag ${shown}`, 'the value without a tag')
}

const spent = (before: Size, after: Size): Size => ({
  keys: after.keys - before.keys,
  values: after.values - before.values,
})

/** An anchor is known once its value has been read, so nothing can contain itself. */
const readAlias = (
  { budget, anchors }: Reading,
  name: string,
  offset: number,
  at: Path,
  depth: number,
): Part => {
  const anchored = anchors.get(name)
  if (!anchored) {
    budget.reject(at, offset, `no anchor above is called ${quote(name)}`, 'the name of an earlier &anchor')
    return { value: null, mark: { offset }, height: 0 }
  }
  budget.repeat(anchored.size, at, offset)
  budget.value(depth + anchored.height, at, offset)
  return anchored
}

const readMap = (reading: Reading, node: YAMLMap.Parsed, at: Path, depth: number): Part => {
  const { budget } = reading
  const value: Record<string, Json> = {}
  const members = new Map<string, { key: number; mark: Mark }>()
  let height = 0
  for (const pair of node.items) {
    const name = String((pair.key as Scalar).value)
    const key = pair.key.range[0]
    const inside = [...at, name]
    budget.key(inside, key, members.has(name))
    refuseTag(pair.key, inside, budget)
    if (name === '<<' && (pair.key as Scalar).type === 'PLAIN')
      budget.reject(inside, key, 'merge keys are not supported', 'the keys themselves, written out', 'key')
    const part: Part = pair.value
      ? readNode(reading, pair.value, inside, depth)
      : { value: null, mark: { offset: key }, height: 0 }
    // Already refused; assigned, it would become the prototype.
    if (name !== '__proto__') value[name] = part.value
    members.set(name, { key, mark: part.mark })
    height = Math.max(height, part.height)
  }
  return { value, mark: { offset: node.range[0], members }, height: height + 1 }
}

const readSeq = (reading: Reading, node: YAMLSeq.Parsed, at: Path, depth: number): Part => {
  const parts = node.items.map((item, index) => readNode(reading, item as ParsedNode, [...at, index], depth))
  return {
    value: parts.map((part) => part.value),
    mark: { offset: node.range[0], items: parts.map((part) => part.mark) },
    height: 1 + Math.max(0, ...parts.map((part) => part.height)),
  }
}

const WHOLE = /^[-+]?(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/

const readScalar = ({ budget }: Reading, node: Scalar.Parsed, at: Path): Part => {
  const { value, source, range } = node
  const offset = range[0]
  if (typeof value === 'string') budget.text(value, at, offset)
  if (typeof value === 'number') budget.number(value, WHOLE.test(source), at, offset)
  return { value: value as Json, mark: { offset }, height: 0 }
}
