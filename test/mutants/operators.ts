// Owns which mutants a source file has: every small change of a fixed list of operators, generated from its syntax, so
// that nobody chooses the ones that happen to be killed. A mutant is a replacement of one range of the text.

import ts from 'typescript'

export interface Mutant {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
}

interface Edit {
  readonly node: ts.Node
  readonly replacement: string
}

type Operator = (node: ts.Node) => readonly Edit[]

const { SyntaxKind } = ts

/** A comparison to its neighbour and its negation, an operation to its counterpart. */
const SWAPS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['/']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.AsteriskAsteriskToken, ['*']],
  [SyntaxKind.AmpersandToken, ['|']],
  [SyntaxKind.BarToken, ['&']],
  [SyntaxKind.CaretToken, ['&']],
  [SyntaxKind.LessThanLessThanToken, ['>>']],
  [SyntaxKind.GreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.GreaterThanGreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
  [SyntaxKind.AsteriskEqualsToken, ['/=']],
  [SyntaxKind.SlashEqualsToken, ['*=']],
  [SyntaxKind.PlusPlusToken, ['--']],
  [SyntaxKind.MinusMinusToken, ['++']],
])

const METHODS: ReadonlyMap<string, string> = new Map([
  ['Math.min', 'max'],
  ['Math.max', 'min'],
  ['Math.floor', 'ceil'],
  ['Math.ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])

const isText = (node: ts.Node): boolean => ts.isStringLiteral(node) || ts.isTemplateExpression(node)

/** Text is joined by `+`, never subtracted. */
const isConcatenation = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === SyntaxKind.PlusToken && (isText(node.left) || isText(node.right))

const binary: Operator = (node) => {
  if (!ts.isBinaryExpression(node) || isConcatenation(node)) return []
  if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken)
    return [node.left, node.right].map((side) => ({ node, replacement: `(${side.getText()})` }))
  // `a ?? b || c` does not parse, and nor does `-a ** b`: the sides keep to themselves.
  const [left, right] = [node.left.getText(), node.right.getText()]
  return (SWAPS.get(node.operatorToken.kind) ?? []).map((swap) => ({
    node,
    replacement: /^[-+*/]=$/.test(swap) ? `${left} ${swap} ${right}` : `((${left}) ${swap} (${right}))`,
  }))
}

const unary: Operator = (node) => {
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText()
    if (node.operator === SyntaxKind.ExclamationToken || node.operator === SyntaxKind.MinusToken)
      return [{ node, replacement: `(${operand})` }]
    return (SWAPS.get(node.operator) ?? []).map((swap) => ({ node, replacement: `${operand}${swap}` }))
  }
  return []
}

const COMPARISONS = new Set(
  [...SWAPS]
    .filter(([, swaps]) => swaps.some((swap) => /^([<>]=?|[!=]==)$/.test(swap)))
    .map(([kind]) => kind),
)

/** A comparison has its negation already, and `!x` has `x`. */
const isNegatedElsewhere = (node: ts.Expression): boolean =>
  (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) ||
  (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)

const conditionOf = (node: ts.Node): ts.Expression | undefined => {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression
  return ts.isConditionalExpression(node) || ts.isForStatement(node) ? node.condition : undefined
}

const condition: Operator = (parent) => {
  const node = conditionOf(parent)
  if (node === undefined) return []
  const outcomes = ['true', 'false', ...(isNegatedElsewhere(node) ? [] : [`!(${node.getText()})`])]
  return outcomes.map((replacement) => ({ node, replacement }))
}

const isName = (node: ts.Node): boolean => ts.isPropertyAssignment(node.parent) && node.parent.name === node

const literal: Operator = (node) => {
  if (node.kind === SyntaxKind.TrueKeyword) return [{ node, replacement: 'false' }]
  if (node.kind === SyntaxKind.FalseKeyword) return [{ node, replacement: 'true' }]
  if (ts.isNumericLiteral(node) && !isName(node))
    return [1, -1].map((by) => ({ node, replacement: `(${Number(node.text.replaceAll('_', '')) + by})` }))
  // A text with a space is for people: a message, not a value that decides.
  return ts.isStringLiteral(node) && /^\S+$/.test(node.text) && !isName(node)
    ? [{ node, replacement: "''" }]
    : []
}

const method: Operator = (node) => {
  if (!ts.isPropertyAccessExpression(node)) return []
  const swap = METHODS.get(`${node.expression.getText()}.${node.name.text}`) ?? METHODS.get(node.name.text)
  return swap === undefined ? [] : [{ node: node.name, replacement: swap }]
}

/** A call, an assignment, a step. A guard that returns is gone when its condition is false. */
const deletion: Operator = (node) =>
  ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression) ? [{ node, replacement: ';' }] : []

const OPERATORS: readonly Operator[] = [binary, unary, condition, literal, method, deletion]

const isErased = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isTypeParameterDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node)

export const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

/** In the order of the text. */
export const mutantsOf = (file: string, text: string): readonly Mutant[] => {
  const source = parse(file, text)
  const found: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (isErased(node)) return
    for (const { node: changed, replacement } of OPERATORS.flatMap((operator) => operator(node))) {
      const start = changed.getStart(source)
      const { line, character } = source.getLineAndCharacterOfPosition(start)
      const original = text.slice(start, changed.end)
      // Without semicolons, a bracket at the start of a statement would call the end of the one before.
      const safe = ts.isExpressionStatement(changed.parent) ? `;${replacement}` : replacement
      found.push({
        file,
        line: line + 1,
        column: character + 1,
        start,
        end: changed.end,
        original,
        replacement: safe,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.filter(
    (mutant, index) =>
      found.findIndex(
        (other) =>
          other.start === mutant.start &&
          other.end === mutant.end &&
          other.replacement === mutant.replacement,
      ) === index,
  )
}

export const mutate = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)
