// Owns the law against shortcuts: nothing is left out of coverage, type checking or the tests; no note to do it later;
// no test that waits for time to pass. Each makes a gate green without what it stands for.

import ts from 'typescript'
import { isCode, isPackage, isTest, type Law, matches, type SourceFile, type Violation } from './law.ts'
import { type Reference, referencesIn } from './references.ts'
import { commentsOf, findNodes, textOf } from './syntax.ts'

interface BannedComment {
  readonly pattern: RegExp
  readonly found: string
  readonly instead: string
  readonly allowed?: (path: string) => boolean
}

const COMMENTS: readonly BannedComment[] = [
  {
    pattern: /\b(c8|v8|istanbul|node:coverage)\s+(ignore|disable|enable)\b/i,
    found: 'a coverage-ignore comment',
    instead: 'Test the branch, or design it away',
  },
  {
    pattern: /@ts-(ignore|nocheck)\b/,
    found: 'a comment that switches the type checker off',
    instead: 'Mend the type',
  },
  {
    pattern: /@ts-expect-error\b/,
    found: '@ts-expect-error outside the tests',
    instead: 'Mend the type; only a test may show what must not compile',
    allowed: isTest,
  },
  {
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
    found: 'a note to do it later',
    instead: 'Do it, or open an issue',
  },
]

const banned = (file: SourceFile, line: number, text: string): readonly Violation[] =>
  COMMENTS.filter((rule) => rule.pattern.test(text) && rule.allowed?.(file.path) !== true).map((rule) => ({
    file: file.path,
    line,
    found: rule.found,
    instead: rule.instead,
  }))

const inComments = (file: SourceFile): readonly Violation[] =>
  isCode(file.path)
    ? commentsOf(file).flatMap(({ line, text }) => banned(file, line, text))
    : matches(file, /(?:^|\s)(?:--|#).*\b(TODO|FIXME|XXX|HACK)\b/gm, () => COMMENTS.at(-1)!).map(
        ({ file: path, line, found, instead }) => ({ file: path, line, found, instead }),
      )

const anyTypes = (files: readonly SourceFile[]): readonly Violation[] =>
  findNodes(files, (node) =>
    node.kind === ts.SyntaxKind.AnyKeyword
      ? { found: 'the type any', instead: 'Use unknown and narrow it' }
      : undefined,
  )

const SUITES = /^(vitest\.)?(it|test|describe|suite|bench)\b/
const SKIPS = ['skip', 'only', 'todo', 'skipIf', 'runIf']

/** `it.skip`, `describe.concurrent.only`, `test['todo']`. */
const skipped = (reference: Reference): string | undefined =>
  SUITES.test(reference.path) ? reference.path.split('.').find((part) => SKIPS.includes(part)) : undefined

/** `it('…', { skip: true }, …)` */
const skippedByOption = (files: readonly SourceFile[]): readonly Violation[] =>
  findNodes(files, (node) => {
    if (!ts.isCallExpression(node) || !/^(it|test|describe|suite|bench)\b/.test(node.expression.getText()))
      return undefined
    const options = node.arguments
      .filter(ts.isObjectLiteralExpression)
      .flatMap((object) => [...object.properties])
    const option = options.find((property) => {
      const name = property.name
      if (name === undefined) return false
      return SKIPS.includes(
        ts.isComputedPropertyName(name)
          ? (textOf(name.expression) ?? '')
          : name.getText().replace(/['"]/g, ''),
      )
    })
    return option === undefined ? undefined : wholeSuite(option.getText())
  })

const wholeSuite = (what: string): Pick<Violation, 'found' | 'instead'> => ({
  found: `a test left out by ${what}`,
  instead: 'Run every test, everywhere; delete the one that has no meaning',
})

/** Not `setImmediate`: one turn of the event loop passes, whatever the time. */
const SLEEPS = [
  'setTimeout',
  'setInterval',
  'scheduler',
  'Atomics.wait',
  'node:timers',
  'node:timers/promises',
]

const sleeps = ({ path, how }: Reference): boolean =>
  how !== 'tested' && SLEEPS.some((name) => path === name || path.startsWith(`${name}.`))

const inTests = (files: readonly SourceFile[]): readonly Violation[] =>
  [...referencesIn(files)].flatMap(([file, references]) =>
    references.flatMap((reference) => {
      const at = { file: file.path, line: reference.line }
      const skip = skipped(reference)
      if (skip !== undefined) return [{ ...at, ...wholeSuite(reference.path.replace('vitest.', '')) }]
      if (!sleeps(reference)) return []
      const instead = 'Move the virtual clock, or await the condition'
      return [{ ...at, found: `a test that sleeps by ${reference.path}`, instead }]
    }),
  )

/** The torture run kills real processes at real moments: it alone may wait. */
const isTimeless = (path: string): boolean => isTest(path) && !path.startsWith('test/torture/')

export const shortcuts: Law = {
  name: 'shortcuts',
  covers: (path) => isCode(path) || /\.(sql|ya?ml|sh|toml)$/.test(path),
  check: (files) => {
    const tests = files.filter((file) => isCode(file.path) && isTimeless(file.path))
    return [
      ...files.flatMap(inComments),
      ...anyTypes(files.filter((file) => isPackage(file.path))),
      ...skippedByOption(tests),
      ...inTests(tests),
    ]
  },
}
