// The same as heavy.ts, as a process that begins as a snapshot.

import { startupSnapshot } from 'node:v8'
import { writeHeavily } from './heavy-writing.ts'

startupSnapshot.setDeserializeMainFunction(() => void writeHeavily(process.argv.slice(2)))
