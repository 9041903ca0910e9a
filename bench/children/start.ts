// A program that opens a store, performs one action and says so. Its argument is the store's URL.

import { z } from 'zod'
import { Pawl, runner } from '../../src/index.ts'

const hello = runner({
  type: 'hello',
  config: z.object({}),
  execute: () => {
    process.stdout.write('performed\n')
    return null
  },
})
const pawl = await Pawl.open({ store: process.argv[2]!, runners: [hello], builtIns: false })
await pawl.work({ slots: 4 })
await pawl.dispatch(hello({}))
await pawl.close()
