// The command line's beginning and end: what was typed goes in, an exit code comes out. It is started by bin/pawl.mjs.

import { readEnvironment } from '../config/environment.ts'
import { fail } from './fail.ts'
import { createProgram } from './program.ts'
import { terminalOf } from './session.ts'
import { endWithReader } from './terminal.ts'

endWithReader()
try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  const env = readEnvironment()
  process.exitCode = fail(error, terminalOf({}, env), (env['PAWL_DEBUG'] ?? '') !== '')
}
