// Owns the laws of names and of shape: no drawer of a file, no title instead of a name, no inheritance, one way to
// export. A name that says nothing about its concept is where unrelated things gather.

import ts from 'typescript'
import { isCode, type Law, type SourceFile, type Violation } from './law.ts'
import { findNodes } from './syntax.ts'

const DRAWERS: ReadonlySet<string> = new Set(
  ['util', 'helper', 'common', 'type', 'misc', 'lib', 'interface'].flatMap((word) => [word, `${word}s`]),
)
/** The type tests: what must not compile. */
const ALLOWED_FOLDERS = ['test/types/']
const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/

/** `machine-types.test.ts` → `machine-types`. */
const stem = (name: string): string => name.replace(/(?<=.)\..*$/, '')
const isDrawer = (name: string): boolean => DRAWERS.has(stem(name).toLowerCase().split(/[-_]/).at(-1)!)

const badPath = ({ path }: SourceFile): readonly Violation[] => {
  const tested = ALLOWED_FOLDERS.reduce((rest, folder) => rest.replace(folder, ''), path)
  const parts = tested.split('/')
  const drawer = parts.find(isDrawer)
  const instead = 'Name it after the concept it owns'
  if (drawer !== undefined) return [{ file: path, line: 1, found: `the name ${drawer}`, instead }]
  if (KEBAB.test(parts.at(-1)!)) return []
  return [
    {
      file: path,
      line: 1,
      found: `the file name ${parts.at(-1)}`,
      instead: 'Write file names in kebab-case',
    },
  ]
}

const TITLE = /(Manager|Service|Helper|Util|Impl|Base)s?$/
const isDeclared = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassLike(node) ||
  ts.isClassElement(node) ||
  ts.isTypeElement(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isTypeParameterDeclaration(node)

type Said = Pick<Violation, 'found' | 'instead'> | undefined

const badName = (node: ts.Node): Said => {
  if (!isDeclared(node) || node.name === undefined || !ts.isIdentifier(node.name)) return undefined
  const name = node.name.text
  if (TITLE.test(name))
    return { found: `the name ${name}`, instead: 'Say what it is or does, not which office it holds' }
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassLike(node)
  return isType && /^I[A-Z][a-z]/.test(name)
    ? { found: `the name ${name}`, instead: 'Drop the I; a type is named like the thing' }
    : undefined
}

const badClass = (node: ts.Node): Said => {
  if (!ts.isClassLike(node)) return undefined
  const parent = node.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0]
  if (parent === undefined) return undefined
  if (ts.isIdentifier(parent.expression) && parent.expression.text.endsWith('Error')) return undefined
  return { found: `a class that extends ${parent.getText()}`, instead: 'Compose: only errors inherit' }
}

const badSyntax = (node: ts.Node): Said => {
  if (ts.isEnumDeclaration(node))
    return { found: `enum ${node.name.text}`, instead: 'Use a union of strings: enums do not erase' }
  if (ts.isModuleDeclaration(node) && ts.isSourceFile(node.parent))
    return {
      found: `namespace ${node.name.text}`,
      instead: 'A file is the namespace: namespaces do not erase',
    }
  return undefined
}

/** `export default`, `export =` and `export { x as default }`. */
const badExport = (node: ts.Node, file: SourceFile): Said => {
  const isDefault =
    ts.isExportAssignment(node) ||
    (ts.isExportSpecifier(node) && node.name.text === 'default') ||
    (ts.isNamespaceExport(node) && node.name.text === 'default') ||
    (ts.canHaveModifiers(node) &&
      node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) === true)
  return isDefault && file.path.startsWith('src/')
    ? {
        found: 'a default export',
        instead: 'Export it by its name, so that it is called the same everywhere',
      }
    : undefined
}

export const names: Law = {
  name: 'names',
  covers: isCode,
  check: (files) => [
    ...files.flatMap(badPath),
    ...findNodes(
      files,
      (node, file) => badName(node) ?? badClass(node) ?? badSyntax(node) ?? badExport(node, file),
    ),
  ],
}
