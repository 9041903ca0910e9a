// Owns the law that SQL lives in .sql files (DESIGN.md §7): no string of the package outside src/store is a statement,
// however it is put together. A statement is told from prose by its shape and by being all lower or all upper case.

import ts from 'typescript'
import { isPackage, type Law } from './law.ts'
import { findNodes, textOf } from './syntax.ts'

const SHAPES = [
  'select\\s(.|\\s)*?\\sfrom\\s',
  'select\\s+(\\d|\\w+\\()',
  'insert\\s+(or\\s+\\w+\\s+)?into\\s',
  'update\\s+\\S+\\s+(as\\s+\\w+\\s+)?set\\s',
  'delete\\s+from\\s',
  '(create|alter|drop)\\s+((or\\s+replace|unique|temp|temporary|materialized|virtual)\\s+)*(table|index|view|trigger|function|schema|type|extension|sequence)\\s',
  'with\\s+(recursive\\s+)?\\w+(\\s*\\([^)]*\\))?\\s+as\\s*(not\\s+)?(materialized\\s*)?\\(',
  'truncate\\s+(table\\s)?',
  'pragma\\s+\\w',
  'begin\\s+(immediate|exclusive|deferred|transaction)',
]
const upper = (shape: string): string =>
  shape.replace(/\\?[a-z]+/g, (part) => (part.startsWith('\\') ? part : part.toUpperCase()))
/** Comments and brackets may come first. */
const LEAD = '^(\\s|\\(|--[^\\n]*\\n|/\\*(.|\\s)*?\\*/)*'
const STATEMENT = new RegExp(`${LEAD}(${[...SHAPES, ...SHAPES.map(upper)].join('|')})`)

/** The words of a string, a template, a concatenation or a joined list. */
const wordsOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return textOf(node, '?')
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return textOf(node, '?')
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => textOf(element, '?')).join(' ')
  return undefined
}

const isStatement = (node: ts.Node): boolean => {
  const words = wordsOf(node)
  return words !== undefined && STATEMENT.test(`${words} `)
}

export const sql: Law = {
  name: 'sql',
  covers: (path) => isPackage(path) && !path.startsWith('src/store/'),
  check: (files) =>
    findNodes(files, (node) =>
      isStatement(node) && !isStatement(node.parent)
        ? {
            found: 'a statement in a string',
            instead: 'Put it into a .sql file of the store, as a named statement',
          }
        : undefined,
    ),
}
