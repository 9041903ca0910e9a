// Owns the chain of one execution: every line follows from the one before it, from the start or from what retention has
// left, up to the head in the execution's row.

import { hash } from 'node:crypto'
import type { Chained, ChainHead } from '../core/history.ts'
import type { Json } from '../core/json.ts'
import type { ExecutionFile, Inspector, UnreadableLine } from '../store/inspect.ts'
import { type Broken, type Finding, judged, whereOf } from './finding.ts'
import { sortedText } from './sorted-text.ts'

/** The rule of core/history.ts, by Node's own hash: thirteen times as fast, and a second opinion. */
const hashOf = (...parts: readonly Json[]): string => hash('sha256', sortedText(parts), 'hex')

const startOf = ({ namespace, tenant, id }: ExecutionFile): ChainHead => ({
  number: 0,
  hash: hashOf(namespace, tenant, id),
})

const follows = (head: ChainHead, { number, type, at, data, prevHash, hash }: Chained): boolean =>
  number === head.number + 1 && prevHash === head.hash && hash === hashOf(prevHash, number, type, at, data)

type Line = Chained | UnreadableLine

export const isLine = (line: Line): line is Chained => 'hash' in line

/** Where the lines that are there begin: the start of the chain, or what the oldest of them says came before it. */
const beginOf = (file: ExecutionFile, first: Line): ChainHead =>
  first.number === 1 || !isLine(first) ? startOf(file) : { number: first.number - 1, hash: first.prevHash }

/** How far a piece of a chain holds. */
export interface Held {
  readonly head: ChainHead
  /** The first line that cannot be read, or does not follow. */
  readonly broken?: { readonly line: number; readonly why: 'unreadable' | 'does_not_follow' }
}

const follow = (start: ChainHead, lines: readonly Line[]): Held => {
  let head = start
  for (const line of lines) {
    if (!isLine(line)) return { head, broken: { line: line.number, why: 'unreadable' } }
    if (!follows(head, line)) return { head, broken: { line: head.number + 1, why: 'does_not_follow' } }
    head = { number: line.number, hash: line.hash }
  }
  return { head }
}

const PAGE = 1000

/** The lines before those of a file that was cut: they never change, so they are read page by page. */
export const holdOlder = async (inspector: Inspector, file: ExecutionFile): Promise<Held | undefined> => {
  const upto = file.lines[0]?.number
  if (upto === undefined || file.firstNumber === null || file.firstNumber >= upto) return undefined
  let held: Held | undefined
  for (let after = file.firstNumber - 1; after < upto - 1; ) {
    const page = await inspector.lines(file, after, Math.min(PAGE, upto - 1 - after))
    const [first] = page
    if (first === undefined) break
    held = follow(held?.head ?? beginOf(file, first), page)
    if (held.broken) return held
    after = page.at(-1)!.number
  }
  return held
}

const brokenLine = (file: ExecutionFile, { line, why }: NonNullable<Held['broken']>): Broken => {
  const where = { ...whereOf(file), line }
  return why === 'unreadable'
    ? {
        invariant: 'readable',
        rule: 'line',
        where,
        text: `line ${line} of ${file.id} cannot be read`,
        expected: 'the line as it was written',
        found: 'one that does not fit its checksum, or is no line',
      }
    : {
        invariant: 'chain',
        rule: 'broken_link',
        where,
        text: `line ${line} of ${file.id} does not follow from the one before it: a line was changed, or is missing`,
        expected: `line ${line}, with the hash of its content and of line ${line - 1}`,
        found: 'another hash, or another line',
      }
}

const headDiffers = (file: ExecutionFile, { number, hash }: ChainHead): Broken => ({
  invariant: 'chain',
  rule: 'head',
  where: whereOf(file),
  text: `${file.id} stands at line ${file.chain.number}, its history ends at line ${number}`,
  expected: `line ${file.chain.number} ${file.chain.hash.slice(0, 12)}`,
  found: `line ${number} ${hash.slice(0, 12)}`,
})

/** Lines that retention cannot have taken: it takes the oldest of the whole store first. */
const beginningIsGone = (file: ExecutionFile, horizon: number): Broken => ({
  invariant: 'chain',
  rule: 'beginning_missing',
  where: { ...whereOf(file), line: 1 },
  text: `the history of ${file.id} begins at line ${file.firstNumber ?? 'none'}, and older events of others are there`,
  expected: 'line 1, which retention has not reached',
  found: `made at ${file.createdAt}; the oldest event is of ${horizon}`,
})

export const checkChain = (
  file: ExecutionFile,
  older: Held | undefined,
  horizon: number | null,
): readonly Finding[] => {
  const isMissing = file.chain.number > 0 && file.firstNumber !== 1
  const isTaken = horizon === null || file.createdAt < horizon
  if (isMissing && !isTaken) return judged(beginningIsGone(file, horizon))
  if (older?.broken) return judged(brokenLine(file, older.broken))
  const [first] = file.lines
  if (first === undefined) {
    const start = startOf(file)
    const isBlank = file.chain.number === 0 && file.chain.hash !== start.hash
    return judged(isBlank && headDiffers(file, start))
  }
  const held = follow(older?.head ?? beginOf(file, first), file.lines)
  if (held.broken) return judged(brokenLine(file, held.broken))
  const { number, hash } = held.head
  const isHead = number === file.chain.number && hash === file.chain.hash
  return judged(!isHead && headDiffers(file, held.head))
}
