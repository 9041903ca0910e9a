// The laws of the house. First every law is seen red on planted trees, and silent on trees that only look guilty; then
// the repository itself is judged. A law that looked at nothing fails: a gate that cannot fail is no gate.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cycles } from './laws/cycles.ts'
import { dependencies } from './laws/dependencies.ts'
import { imports } from './laws/imports.ts'
import { describeViolation, judge, type Law } from './laws/law.ts'
import { names } from './laws/names.ts'
import { places } from './laws/places.ts'
import { plantedHabits } from './laws/planted/habits.ts'
import { plantedImports } from './laws/planted/imports.ts'
import { filesOf, type Planted } from './laws/planted/planted.ts'
import { plantedReach } from './laws/planted/reach.ts'
import { plantedShape } from './laws/planted/shape.ts'
import { reach } from './laws/reach.ts'
import { shortcuts } from './laws/shortcuts.ts'
import { medianLength, openings, sizes } from './laws/sizes.ts'
import { sql } from './laws/sql.ts'
import { readTree } from './laws/tree.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LAWS: readonly Law[] = [
  imports,
  cycles,
  sizes,
  openings,
  names,
  reach,
  shortcuts,
  places(ROOT),
  sql,
  dependencies,
]
const PLANTED: readonly Planted[] = [...plantedImports, ...plantedShape, ...plantedReach, ...plantedHabits]

describe.each(LAWS)('the law of $name, seen red', ({ name }) => {
  const trees = PLANTED.filter((planted) => planted.law.name === name)

  it('has at least two red trees and one sound one', () => {
    expect(trees.filter((planted) => planted.expect.length > 0).length).toBeGreaterThanOrEqual(2)
    expect(trees.some((planted) => planted.expect.length === 0)).toBe(true)
  })

  it.each(trees)('$title', (planted) => {
    const { violations } = judge(planted.law, filesOf(planted))
    const told = violations.map(({ file, line, found }) => `${file}:${line} ${found}`)
    expect(told.sort()).toEqual([...planted.expect].sort())
    for (const { instead } of violations) expect(instead).toMatch(/^[A-Z]/)
  })
})

describe('the repository', () => {
  const tree = readTree(ROOT)

  it.each(LAWS)('keeps the law of $name', (law) => {
    const { visited, violations } = judge(law, tree)
    expect(visited).toBeGreaterThan(0)
    expect(violations.map((violation) => describeViolation(law, violation))).toEqual([])
  })

  it('is read whole: sources, tests, docs and the files at the root', () => {
    const paths = tree.map((file) => file.path)
    for (const path of ['package.json', 'src/core/errors.ts', 'test/laws.test.ts', 'scripts/setup.mjs'])
      expect(paths).toContain(path)
    expect(paths.filter((path) => /(^|\/)(node_modules|\.git|\.cache)\//.test(path))).toEqual([])
  })

  it('has a median file of about ninety lines at most', () => {
    const median = medianLength(tree)
    console.log(`median length of a file in src: ${median} lines`)
    expect(median).toBeLessThanOrEqual(100)
  })
})
