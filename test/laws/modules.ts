// Owns which modules a file names, however it names them, and where a relative name leads. Type-only imports count:
// a layer whose types are known above and below it is not a layer.

import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript'
import type { SourceFile } from './law.ts'
import { lineOf, syntaxOf, walk } from './syntax.ts'

export interface ModuleUse {
  readonly specifier: string
  readonly line: number
}

const literal = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined

const isLoader = (callee: ts.Expression): boolean =>
  callee.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isIdentifier(callee) && callee.text === 'require') ||
  (ts.isPropertyAccessExpression(callee) &&
    ts.isMetaProperty(callee.expression) &&
    callee.name.text === 'resolve')

const specifierOf = (node: ts.Node): string | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isExternalModuleReference(node)) return literal(node.expression)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal)
  if (ts.isCallExpression(node) && isLoader(node.expression)) return literal(node.arguments[0])
  return undefined
}

export const modulesOf = (file: SourceFile): readonly ModuleUse[] => {
  const tree = syntaxOf(file)
  const uses: ModuleUse[] = []
  walk(tree, (node) => {
    const specifier = specifierOf(node)
    if (specifier !== undefined) uses.push({ specifier, line: lineOf(node) })
  })
  // `/// <reference types="node" />` brings a whole platform into a room that has none.
  for (const reference of [...tree.typeReferenceDirectives, ...tree.libReferenceDirectives])
    uses.push({
      specifier: `reference:${reference.fileName}`,
      line: tree.getLineAndCharacterOfPosition(reference.pos).line + 1,
    })
  return uses
}

type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'package'; readonly name: string }

/** `fs` and `node:fs` are one module; a path that leaves the repository keeps its `..`. */
export const targetOf = (specifier: string, from: string): Target => {
  if (/^\.{1,2}(\/|$)/.test(specifier)) {
    const path = posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''))
    return { kind: 'file', path }
  }
  if (isBuiltin(specifier)) return { kind: 'node', name: `node:${specifier.replace(/^node:/, '')}` }
  return { kind: 'package', name: specifier }
}
