// Runs the examples as a newcomer would, each in a process of its own, and compares all they print with what is kept
// beside them. After a wanted change: node examples/01-lease.ts > examples/01-lease.out

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const EXAMPLES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'examples')
const numbered = readdirSync(EXAMPLES).filter((name) => /^\d\d-.*\.ts$/.test(name))

it('finds the examples', () => {
  expect(numbered).toContain('01-lease.ts')
})

it.each(numbered)(
  '%s prints what is kept beside it',
  (name) => {
    const printed = execFileSync(process.execPath, [join(EXAMPLES, name)], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(printed).toBe(readFileSync(join(EXAMPLES, name.replace(/\.ts$/, '.out')), 'utf8'))
  },
  60_000,
)

it('the README shows the program of the first example, to the letter', () => {
  const example = readFileSync(join(EXAMPLES, '01-lease.ts'), 'utf8')
  const program = /\/\/ #region program\n([\s\S]*?)\/\/ #endregion/.exec(example)?.[1]
  expect(program).toContain('machine({')
  expect(readFileSync(join(EXAMPLES, '..', 'README.md'), 'utf8')).toContain(program)
})
