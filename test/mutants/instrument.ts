// Owns turning a TypeScript module into a function that can be evaluated again for every mutant: CommonJS, with a call
// in every loop that can end it. A mutant that never leaves its loop is then killed by a count, not by a clock.

import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { parse } from './operators.ts'

export type Evaluate = (
  exports: object,
  require: (specifier: string) => unknown,
  tick: () => void,
  meta: { readonly url: string; readonly filename: string; readonly dirname: string },
) => void

interface Splice {
  readonly at: number
  readonly length: number
  readonly text: string
}

const splicesOf = (node: ts.Node): readonly Splice[] => {
  if (ts.isMetaProperty(node)) return [{ at: node.getStart(), length: node.getText().length, text: '$meta' }]
  if (!ts.isIterationStatement(node, false)) return []
  const { statement } = node
  return [
    { at: statement.getStart(), length: 0, text: '{ $tick(); ' },
    { at: statement.end, length: 0, text: ' }' },
  ]
}

const withTicks = (file: string, text: string): string => {
  const splices: Splice[] = []
  const visit = (node: ts.Node): void => {
    splices.push(...splicesOf(node))
    ts.forEachChild(node, visit)
  }
  visit(parse(file, text))
  return splices
    .sort((a, b) => b.at - a.at)
    .reduce((done, { at, length, text }) => done.slice(0, at) + text + done.slice(at + length), text)
}

/** Throws a SyntaxError for what does not parse. */
export const compile = (file: string, text: string): Evaluate => {
  const { outputText } = ts.transpileModule(withTicks(file, text), {
    fileName: file,
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2024,
      isolatedModules: true,
      allowImportingTsExtensions: true,
    },
  })
  return compileFunction(outputText, ['exports', 'require', '$tick', '$meta'], { filename: file }) as Evaluate
}
