// Owns what a planted tree is: a few files that break one law in a known place, or come close and do not.

import type { Law, SourceFile } from '../law.ts'

export interface Planted {
  readonly law: Law
  readonly title: string
  readonly tree: Readonly<Record<string, string>>
  /** `file:line found` of each violation, in any order; empty when the tree is sound. */
  readonly expect: readonly string[]
}

export const filesOf = (planted: Planted): readonly SourceFile[] =>
  Object.entries(planted.tree).map(([path, text]) => ({ path, text }))

/** One file of one law: the violations are on its lines. */
export const inFile =
  (law: Law, path: string) =>
  (title: string, text: string, ...expect: readonly string[]): Planted => ({
    law,
    title,
    tree: { [path]: text },
    expect: expect.map((found) => `${path}:${found}`),
  })
