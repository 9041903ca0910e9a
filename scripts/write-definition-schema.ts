// Owns schema/definition.json. Run it after a change of src/definitions/shape/:
// `node scripts/write-definition-schema.ts && npm run format`. test/definitions/json-schema.test.ts fails while file and
// shapes differ.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { definitionSchema } from '../src/definitions/json-schema.ts'

export const DEFINITION_SCHEMA = 'schema/definition.json'

const here = fileURLToPath(import.meta.url)
if (process.argv[1] === here) {
  const file = `${dirname(dirname(here))}/${DEFINITION_SCHEMA}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(definitionSchema(), null, 2)}\n`)
}
