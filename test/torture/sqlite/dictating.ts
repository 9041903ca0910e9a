// A process that writes so much at once that a thread writes it (dictating-writing.ts). argv: file.

import { writeTogether } from './dictating-writing.ts'

await writeTogether(process.argv.slice(2))
