// Owns a process in which one module is another than on disk: the mutant is put in place before anything is loaded, then
// the process answers like any subject.

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

interface Replaced {
  readonly url: string
  readonly source: string
}

const { url, source } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Replaced

registerHooks({
  load: (asked, context, next) =>
    asked === url ? { format: 'module-typescript', source, shortCircuit: true } : next(asked, context),
})

await import('./subject.ts')
