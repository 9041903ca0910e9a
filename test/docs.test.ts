// The docs say what is so: the page of errors is the registry, every code is raised somewhere, links lead somewhere,
// commands exist.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ERRORS_PAGE, errorsPage } from '../scripts/write-errors-page.ts'
import { type ErrorCode, REGISTRY } from '../src/core/errors.ts'
import { commands, links } from './laws/docs.ts'
import { describeViolation, isPackage, judge, type SourceFile } from './laws/law.ts'
import { plantedDocs } from './laws/planted/docs.ts'
import { filesOf } from './laws/planted/planted.ts'
import { syntaxOf, walk } from './laws/syntax.ts'
import { readTree } from './laws/tree.ts'

const tree = readTree(dirname(dirname(fileURLToPath(import.meta.url))))

/** Raised by parts that are still to come; a code leaves this list when it is first raised. */
const TO_COME: readonly ErrorCode[] = []

/** Texts of values, not of types: a code in a union is not raised by it. */
const textsIn = (file: SourceFile): readonly string[] => {
  const texts: string[] = []
  walk(syntaxOf(file), (node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    return !ts.isTypeNode(node)
  })
  return texts
}

const raisedIn = (files: readonly SourceFile[]): ReadonlySet<string> =>
  new Set(
    files
      .filter(({ path }) => isPackage(path) && path !== 'src/core/errors.ts')
      .flatMap((file) => textsIn(file)),
  )

describe('the page of errors', () => {
  it('is what the registry says; run node scripts/write-errors-page.ts', () => {
    expect(tree.find((file) => file.path === ERRORS_PAGE)?.text).toBe(errorsPage(REGISTRY))
  })

  it('is the same whatever the order of the registry, and keeps a bar inside its cell', () => {
    const meaning = { retryable: true, http: 503, exit: 4, help: 'Either|or,\n  later.' }
    const page = errorsPage({ b: meaning, a: meaning })
    expect(page).toBe(errorsPage({ a: meaning, b: meaning }))
    expect(page).toContain('\n| `a` | 503 | 4 | yes | Either\\|or, later. |\n| `b` |')
  })

  it('lists no code that nothing raises', () => {
    const raised = raisedIn(tree)
    const codes = Object.keys(REGISTRY) as ErrorCode[]
    expect(codes.filter((code) => !raised.has(code) && !TO_COME.includes(code))).toEqual([])
    expect(TO_COME.filter((code) => raised.has(code))).toEqual([])
  })

  it('sees a code in a value, and none in a type, a test or the registry', () => {
    const given = (path: string, text: string): readonly string[] => [...raisedIn([{ path, text }])]
    expect(given('src/core/a.ts', `throw new PawlError('invalid_date', why)`)).toEqual(['invalid_date'])
    expect(given('src/core/a.ts', `type Code = 'invalid_date'`)).toEqual([])
    expect(given('src/core/a.test.ts', `fail('invalid_date')`)).toEqual([])
    expect(given('src/core/errors.ts', `refused('invalid_date')`)).toEqual([])
  })
})

describe('the laws of the docs, seen red', () => {
  it.each(plantedDocs)('$law.name: $title', (planted) => {
    const { violations } = judge(planted.law, filesOf(planted))
    const told = violations.map(({ file, line, found }) => `${file}:${line} ${found}`)
    expect(told.sort()).toEqual([...planted.expect].sort())
  })
})

describe('the docs', () => {
  it.each([links, commands])('keep the law of $name', (law) => {
    const { visited, violations } = judge(law, tree)
    expect(visited).toBeGreaterThan(0)
    expect(violations.map((violation) => describeViolation(law, violation))).toEqual([])
  })

  it('have pages with links and commands to judge', () => {
    const pages = tree.filter((file) => file.path.endsWith('.md'))
    expect(pages.map((page) => page.path)).toEqual(expect.arrayContaining(['README.md', ERRORS_PAGE]))
  })
})
