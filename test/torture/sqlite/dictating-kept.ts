// The same as dictating.ts, as a process that begins as a snapshot.

import { startupSnapshot } from 'node:v8'
import { writeTogether } from './dictating-writing.ts'

startupSnapshot.setDeserializeMainFunction(() => void writeTogether(process.argv.slice(2)))
