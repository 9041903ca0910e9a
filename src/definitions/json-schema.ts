// Owns the shapes of definition files as JSON Schema, for editors that complete and check while people type. Made from
// the same shapes that read the files, so the two cannot differ. scripts/write-definition-schema.ts writes it down.

import { z } from 'zod'
import { actionFile } from './shape/action.ts'
import { machineFile } from './shape/machine.ts'
import { recurrenceFile } from './shape/recurrence.ts'

/** Free values (config, conditions) have no shape here: their runners and core say more. */
export const definitionSchema = (): Readonly<Record<string, unknown>> => ({
  title: 'A definition for Pawl',
  ...z.toJSONSchema(z.union([machineFile(), recurrenceFile(), actionFile()]), {
    unrepresentable: 'any',
    io: 'input',
  }),
})
