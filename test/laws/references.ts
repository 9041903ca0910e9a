// Owns finding what a file takes from the world outside itself: globals, imported names, members of either. Scopes come
// from the TypeScript binder, run without a library: a name that resolves to nothing, or only to a `declare`, is global.
// A path is spelled as the plain program would: `Date.now`, `process.env`, `node:crypto.randomUUID`, `.getHours`.

import { isBuiltin } from 'node:module'
import ts from 'typescript'
import type { SourceFile } from './law.ts'
import { bare, lineOf, syntaxOf, textOf, walk } from './syntax.ts'

export interface Reference {
  readonly path: string
  readonly line: number
  /** `named` is an import or re-export; `tested` is `typeof x` or `y instanceof x`; a spread or `undefined` counts as none. */
  readonly how: 'value' | 'call' | 'new' | 'named' | 'tested'
  readonly args: number
}

const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  allowJs: true,
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
}

const checkerOf = (files: readonly SourceFile[]): ts.TypeChecker => {
  const trees = new Map(files.map((file) => [file.path, syntaxOf(file)]))
  const host: ts.CompilerHost = {
    getSourceFile: (path) => trees.get(path),
    fileExists: (path) => trees.has(path),
    readFile: () => undefined,
    writeFile: () => {},
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  }
  return ts.createProgram([...trees.keys()], OPTIONS, host).getTypeChecker()
}

/** Node's modules that are a global under another name. */
const moduleName = (specifier: string): string => {
  const name = isBuiltin(specifier) ? `node:${specifier.replace(/^node:/, '')}` : specifier
  return name === 'node:process' ? 'process' : name
}

const specifierOf = (node: ts.Node): string | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const specifier = node.moduleSpecifier
    return specifier !== undefined && ts.isStringLiteralLike(specifier)
      ? moduleName(specifier.text)
      : undefined
  }
  return ts.isSourceFile(node) ? undefined : specifierOf(node.parent)
}

/** What an import or re-export stands for: `node:crypto.randomUUID`. A default import of a module is the module. */
const importedPath = (node: ts.Node): string | undefined => {
  const specifier = specifierOf(node)
  if (specifier === undefined) return undefined
  if (!ts.isImportSpecifier(node) && !ts.isExportSpecifier(node)) return specifier
  const name = (node.propertyName ?? node.name).text
  return name === 'default' ? specifier : `${specifier}.${name}`
}

const isAmbient = (declaration: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Ambient) !== 0

export const GLOBAL_OBJECTS: readonly string[] = ['globalThis', 'global', 'window', 'self']

/** The path an identifier begins, or undefined for a name of the file's own. */
const rootOf = (name: ts.Identifier, checker: ts.TypeChecker): string | undefined => {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name)
  const declarations = symbol?.declarations ?? []
  const imported = declarations.map(importedPath).find((path) => path !== undefined)
  if (imported !== undefined) return imported
  return declarations.every(isAmbient) ? name.text : undefined
}

const isRead = (name: ts.Identifier): boolean => {
  const { parent } = name
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return parent.getFirstToken() === name
  if (ts.isShorthandPropertyAssignment(parent)) return true
  // An export names something of the file, which is looked at where it is made.
  if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent)) return false
  if (ts.isBindingElement(parent)) return parent.initializer === name
  if (ts.isMetaProperty(parent) || ts.isLabeledStatement(parent) || ts.isJsxAttribute(parent)) return false
  return !('name' in parent && parent.name === name)
}

interface Climb {
  readonly path: string
  /** The whole expression the path was read from. */
  readonly top: ts.Expression
}

/** From `Date` up through `.now`, `['now']`, `!`, `as` and parentheses, as far as the members are literal. */
const climb = (path: string, node: ts.Expression): Climb => {
  const { parent } = node
  if (ts.isExpression(parent) && bare(parent) === bare(node)) return climb(path, parent)
  if (ts.isAwaitExpression(parent)) return climb(path, parent)
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return climb(`${path}.${parent.name.text}`, parent)
  if (!ts.isElementAccessExpression(parent) || parent.expression !== node) return { path, top: node }
  const key = textOf(parent.argumentExpression)
  return key === undefined ? { path: `${path}[…]`, top: parent } : climb(`${path}.${key}`, parent)
}

/** `globalThis.Date.now` is `Date.now`. */
const plain = (path: string): string => {
  const [first, ...rest] = path.split('.')
  return GLOBAL_OBJECTS.includes(first!) && rest.length > 0 ? plain(rest.join('.')) : path
}

const useOf = ({ path, top }: Climb): Reference => {
  const { parent } = top
  const line = lineOf(top)
  const say = (how: Reference['how'], args: readonly ts.Expression[] = []): Reference => ({
    path: plain(path),
    line,
    how,
    args: args.some(ts.isSpreadElement) || args[0]?.getText() === 'undefined' ? 0 : args.length,
  })
  if (ts.isCallExpression(parent) && parent.expression === top) return say('call', parent.arguments)
  if (ts.isNewExpression(parent) && parent.expression === top) return say('new', parent.arguments)
  if (ts.isTypeOfExpression(parent)) return say('tested')
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword)
    return say(parent.right === top ? 'tested' : 'value')
  return say('value')
}

const isTypeOnly = (node: ts.Node): boolean =>
  (ts.isImportClause(node) && node.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
  ((ts.isImportSpecifier(node) || ts.isExportDeclaration(node) || ts.isExportSpecifier(node)) &&
    node.isTypeOnly)

/** The path a node begins, if it begins one. */
const beginning = (node: ts.Node, checker: ts.TypeChecker): string | undefined => {
  if (ts.isIdentifier(node)) return isRead(node) ? rootOf(node, checker) : undefined
  if (ts.isMetaProperty(node)) return 'import.meta'
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined
  const specifier = node.arguments[0] === undefined ? undefined : textOf(node.arguments[0])
  return specifier === undefined ? 'import(…)' : moduleName(specifier)
}

/** A member of a value whose origin is not known: `.getHours`. */
const memberOf = (node: ts.Node): string | undefined => {
  if (ts.isPropertyAccessExpression(node)) return `.${node.name.text}`
  const key = ts.isElementAccessExpression(node) ? textOf(node.argumentExpression) : undefined
  return key === undefined ? undefined : `.${key}`
}

/** Imports name what they take; a re-export of everything hands the whole module on. */
const importUse = (node: ts.Node): Reference['how'] | undefined => {
  if (ts.isExportDeclaration(node) && !(node.exportClause && ts.isNamedExports(node.exportClause)))
    return 'value'
  if (ts.isImportClause(node)) return node.name === undefined ? undefined : 'named'
  return ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || ts.isExportSpecifier(node)
    ? 'named'
    : undefined
}

/** Types run nothing; of `extends` clauses only a class's does. */
const isType = (node: ts.Node): boolean =>
  ts.isTypeNode(node) &&
  !(
    ts.isExpressionWithTypeArguments(node) &&
    ts.isHeritageClause(node.parent) &&
    ts.isClassLike(node.parent.parent)
  )

const inFile = (file: SourceFile, checker: ts.TypeChecker): readonly Reference[] => {
  const found: Reference[] = []
  walk(syntaxOf(file), (node) => {
    if (isTypeOnly(node) || isType(node)) return false
    const how = importUse(node)
    const named = how === undefined ? undefined : importedPath(node)
    if (how !== undefined && named !== undefined)
      found.push({ path: named, line: lineOf(node), how, args: 0 })
    const start = beginning(node, checker)
    if (start !== undefined) found.push(useOf(climb(start, node as ts.Expression)))
    const member = memberOf(node)
    if (member !== undefined) found.push(useOf({ path: member, top: node as ts.Expression }))
    return true
  })
  return found
}

export const referencesIn = (files: readonly SourceFile[]): ReadonlyMap<SourceFile, readonly Reference[]> => {
  const checker = checkerOf(files)
  return new Map(files.map((file) => [file, inFile(file, checker)]))
}
