// Owns docs/reference/errors.md: the registry of src/core/errors.ts as a table. Run it after a change of the registry:
// `node scripts/write-errors-page.ts`. test/docs.test.ts fails while page and registry differ.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Meaning, REGISTRY } from '../src/core/errors.ts'

export const ERRORS_PAGE = 'docs/reference/errors.md'

const HEAD = `# Errors

Every refusal is a \`PawlError\` with a \`code\`, a \`message\` that quotes what is wrong, and \`details\`: the \`path\` inside the
input, what was \`expected\` and, where something similar exists, a \`suggestion\`. Codes do not change; messages may.

*HTTP* is the status of the API's answer, *exit* the exit code of the command line, *retry* whether the same request,
unchanged, may work later. What an effect came to (\`rate_limit\`, \`timeout\` …) is not here: that is an action's outcome.

| code | HTTP | exit | retry | when, and what to do |
|---|---|---|---|---|
`

/** A bar or a line break would end the cell. */
const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ')

const row = ([code, { http, exit, retryable, help }]: readonly [string, Meaning]): string =>
  `| \`${code}\` | ${http} | ${exit} | ${retryable ? 'yes' : 'no'} | ${cell(help)} |\n`

export const errorsPage = (registry: Readonly<Record<string, Meaning>>): string =>
  HEAD +
  Object.entries(registry)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(row)
    .join('')

const here = fileURLToPath(import.meta.url)
if (process.argv[1] === here) {
  const page = `${dirname(dirname(here))}/${ERRORS_PAGE}`
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, errorsPage(REGISTRY))
}
