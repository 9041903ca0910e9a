import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFINITION_SCHEMA } from '../../scripts/write-definition-schema.ts'
import { definitionSchema } from '../../src/definitions/json-schema.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, root), 'utf8'))

describe('the schema for editors', () => {
  it('is the one that the shapes make: run scripts/write-definition-schema.ts', () => {
    expect(read(DEFINITION_SCHEMA)).toEqual(definitionSchema())
  })

  it('describes every key of a machine and of an action', () => {
    const { $defs } = definitionSchema() as { $defs: Record<string, { properties?: object }> }
    const undescribed = Object.entries($defs).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, value]) => !('$ref' in value) && !('description' in value))
        .map(([key]) => `${name}.${key}`),
    )
    expect(undescribed).toEqual([])
  })

  it('accepts the fixtures and refuses what is misspelt', () => {
    const schema = z.fromJSONSchema(read(DEFINITION_SCHEMA) as z.core.JSONSchema.JSONSchema)
    const fixture = read('test/definitions/fixtures/notify_crm_system.json') as object
    expect(schema.safeParse(fixture).success).toBe(true)
    expect(schema.safeParse({ ...fixture, retryPolcy: {} }).success).toBe(false)
  })
})
