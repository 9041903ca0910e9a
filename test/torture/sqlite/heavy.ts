// A process that writes so much that a thread copies its WAL (heavy-writing.ts). argv: file, round, commits or nothing.

import { writeHeavily } from './heavy-writing.ts'

await writeHeavily(process.argv.slice(2))
