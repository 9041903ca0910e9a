// Owns reading a file as TypeScript: its syntax tree, a walk over it, its comments. Laws look at syntax, so that a
// string that merely mentions a forbidden thing is not one, and an odd spelling of it is.

import ts from 'typescript'
import type { SourceFile, Violation } from './law.ts'

const parsed = new WeakMap<SourceFile, ts.SourceFile>()

export const syntaxOf = (file: SourceFile): ts.SourceFile => {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
  parsed.set(file, tree)
  return tree
}

/** Calls `visit` on every node; a visit that returns false keeps the walk out of that node. */
export const walk = (node: ts.Node, visit: (node: ts.Node) => unknown): void => {
  if (visit(node) === false) return
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** Every node of every file that `find` answers for, as a violation on its line. */
export const findNodes = (
  files: readonly SourceFile[],
  find: (node: ts.Node, file: SourceFile) => Pick<Violation, 'found' | 'instead'> | undefined,
): readonly Violation[] =>
  files.flatMap((file) => {
    const violations: Violation[] = []
    walk(syntaxOf(file), (node) => {
      const said = find(node, file)
      if (said !== undefined) violations.push({ file: file.path, line: lineOf(node), ...said })
    })
    return violations
  })

export const lineOf = (node: ts.Node): number => {
  const file = node.getSourceFile()
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}

/** `(x)`, `x as T`, `x!`, `x satisfies T`, `(0, x)`: the x that runs. */
export const bare = (node: ts.Expression): ts.Expression => {
  if (ts.isParenthesizedExpression(node) || ts.isAssertionExpression(node)) return bare(node.expression)
  if (ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node)) return bare(node.expression)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken)
    return bare(node.right)
  return node
}

/** The text of a literal, also when written as a template or put together with `+`; `hole` stands for the rest. */
export const textOf = (node: ts.Expression, hole?: string): string | undefined => {
  const inner = bare(node)
  if (ts.isStringLiteralLike(inner)) return inner.text
  if (ts.isTemplateExpression(inner) && hole !== undefined)
    return inner.head.text + inner.templateSpans.map((span) => hole + span.literal.text).join('')
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = textOf(inner.left, hole)
    const right = textOf(inner.right, hole)
    return left === undefined || right === undefined ? undefined : left + right
  }
  return hole
}

interface Comment {
  readonly line: number
  readonly text: string
}

/** Comments hang on tokens, also on closing brackets, which only `getChildren` lists. */
export const commentsOf = (file: SourceFile): readonly Comment[] => {
  const tree = syntaxOf(file)
  const ranges = new Map<number, ts.CommentRange>()
  const collect = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(tree)
    for (const child of children) collect(child)
    if (children.length > 0 || ts.isJsxText(node)) return
    for (const range of ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [])
      ranges.set(range.pos, range)
    for (const range of ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? [])
      ranges.set(range.pos, range)
  }
  collect(tree)
  return [...ranges.values()].map((range) => ({
    line: tree.getLineAndCharacterOfPosition(range.pos).line + 1,
    text: file.text.slice(range.pos, range.end),
  }))
}
