// Owns the list of what is under mutation, and which tests are to kill its mutants. A mutant must be killed by the tests
// of its own module, not by chance somewhere else.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Target } from './trial.ts'

export const ROOT: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const under = (folder: string, file: string, tests: readonly string[]): Target => ({
  file: join(ROOT, folder, file),
  tests: tests.map((test) => join(ROOT, folder, test)),
})

const core = (file: string, ...tests: readonly string[]): Target => under('src/core', file, tests)

/** Every file of a folder, with all tests of the folder. */
const folder = (path: string): readonly Target[] => {
  const names = readdirSync(join(ROOT, path)).filter((name) => name.endsWith('.ts'))
  const tests = names.filter((name) => name.endsWith('.test.ts'))
  return names.filter((name) => !tests.includes(name)).map((file) => under(path, file, tests))
}

export const TARGETS: readonly Target[] = [
  core('retry.ts', 'retry.test.ts', 'retry-policy.test.ts'),
  core('retry-after.ts', 'retry-after.test.ts'),
  core('action-error.ts', 'action-error.test.ts'),
  core('classify.ts', 'classify.test.ts'),
  core('planner.ts', 'planner.test.ts', 'planner-fairness.test.ts'),
  core('settle.ts', 'settle.test.ts'),
  ...folder('src/core/template'),
]
