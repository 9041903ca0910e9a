// Owns what a law is: a pure rule over a list of files, which says what it looked at and what it found. The files may
// be the repository's (tree.ts) or a planted handful (planted/), so every law can be seen red.

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

export interface Violation {
  readonly file: string
  readonly line: number
  /** What stands there, short. */
  readonly found: string
  /** What to do about it. */
  readonly instead: string
}

export interface Law {
  readonly name: string
  /** Files the law looks at. It is handed no others, so a law that covers nothing is noticed. */
  readonly covers: (path: string) => boolean
  readonly check: (files: readonly SourceFile[]) => readonly Violation[]
}

interface Judgement {
  readonly visited: number
  readonly violations: readonly Violation[]
}

export const judge = (law: Law, tree: readonly SourceFile[]): Judgement => {
  const covered = tree.filter((file) => law.covers(file.path))
  return { visited: covered.length, violations: law.check(covered) }
}

/** `src/core/a.ts:3 imports: …` */
export const describeViolation = (law: Law, violation: Violation): string =>
  `${violation.file}:${violation.line} ${law.name}: ${violation.found}. ${violation.instead}`

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Every match of a global pattern, as a violation on its line. */
export const matches = (
  file: SourceFile,
  pattern: RegExp,
  say: (match: RegExpExecArray) => Pick<Violation, 'found' | 'instead'>,
): readonly Violation[] =>
  [...file.text.matchAll(pattern)].map((match) => ({
    file: file.path,
    line: lineAt(file.text, match.index),
    ...say(match),
  }))

export const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)
export const isTest = (path: string): boolean =>
  /\.test\.[cm]?[jt]sx?$/.test(path) || path.startsWith('test/')
/** Code that ships: the package and the console, without the tests that sit beside it. */
export const isShipped = (path: string): boolean =>
  isCode(path) && !isTest(path) && (path.startsWith('src/') || path.startsWith('console/'))
/** Code that ships in the package. */
export const isPackage = (path: string): boolean => isShipped(path) && path.startsWith('src/')
