// Owns the laws of size: a file is read in one sitting, a function fits on a screen, and each shipped file opens by
// saying what it owns (STYLE.md §3.6). Generated code and data are nobody's reading.

import ts from 'typescript'
import { isCode, isPackage, isShipped, type Law, type SourceFile, type Violation } from './law.ts'
import { findNodes, syntaxOf } from './syntax.ts'

const MAX_FILE = 400
const MAX_FUNCTION = 50
const MAX_OPENING = 6

const isWritten = (path: string): boolean => isCode(path) && !path.includes('/generated/')

const linesOf = (file: SourceFile): number => file.text.replace(/\n$/, '').split('\n').length

const span = (node: ts.Node): number => {
  const tree = node.getSourceFile()
  const line = (position: number): number => tree.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart(tree)) + 1
}

const longFunctions = (files: readonly SourceFile[]): readonly Violation[] =>
  findNodes(files, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || span(node) <= MAX_FUNCTION) return undefined
    return {
      found: `a function of ${span(node)} lines`,
      instead: `Give its stages names; ${MAX_FUNCTION} is a screen`,
    }
  })

const longFiles = (files: readonly SourceFile[]): readonly Violation[] =>
  files
    .filter((file) => linesOf(file) > MAX_FILE)
    .map((file) => ({
      file: file.path,
      line: MAX_FILE + 1,
      found: `${linesOf(file)} lines`,
      instead: `Split it by concept; ${MAX_FILE} is the most, ~90 the aim`,
    }))

export const sizes: Law = {
  name: 'sizes',
  covers: isWritten,
  check: (files) => [...longFiles(files), ...longFunctions(files.filter((file) => isShipped(file.path)))],
}

/** The median length of the files of the package; the budget is about ninety lines. */
export const medianLength = (tree: readonly SourceFile[]): number => {
  const lengths = tree.filter((file) => isPackage(file.path) && isWritten(file.path)).map(linesOf)
  return lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
}

/** The comment lines that come before anything else, without their marks. */
const openingOf = (file: SourceFile): readonly string[] => {
  const { text } = file
  const first = (ts.getShebang(text) ?? '').length
  const ranges = ts.getLeadingCommentRanges(text, 0) ?? []
  const code = syntaxOf(file).statements[0]?.getStart() ?? text.length
  const together = ranges.filter(
    (range) => range.end <= code && !/\n\s*\n/.test(text.slice(first, range.pos).trimStart()),
  )
  return together
    .map((range) => text.slice(range.pos, range.end))
    .join('\n')
    .split('\n')
    .map((line) => line.replace(/^[\s/*]+|[\s/*]+$/g, ''))
    .filter((line) => line !== '')
}

const badOpening = (file: SourceFile): string | undefined => {
  const opening = openingOf(file)
  if (opening.join(' ').split(/\s+/).length < 4) return 'no opening comment'
  if (opening.length > MAX_OPENING) return `an opening comment of ${opening.length} lines`
  return /copyright|licen[cs]ed? |spdx/i.test(opening.join(' ')) ? 'a licence header' : undefined
}

export const openings: Law = {
  name: 'openings',
  covers: (path) => isShipped(path) && isWritten(path),
  check: (files) =>
    files.flatMap((file) => {
      const found = badOpening(file)
      const instead = `Open with one to ${MAX_OPENING} lines: what it owns, what it leaves to others, its invariants`
      return found === undefined ? [] : [{ file: file.path, line: 1, found, instead }]
    }),
}
