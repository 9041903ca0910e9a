// A worker dies between sending a message and writing down that it was sent. Another goes on: the message goes out again,
// under the same key, so that its receiver can tell. In virtual time, with the public test kit.
// What it prints is kept in 03-crash.out, and a test compares.

import { z } from 'zod'
import { machine, runner } from '../src/index.ts'
import { mockRunner, testPawl } from '../src/testing/index.ts'

const remind = runner({
  type: 'remind',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'reminded',
  execute: () => ({ id: 'sent for real' }),
})

const invoice = machine({
  id: 'invoice',
  variables: z.object({ customer: z.string() }),
  events: { paid: z.object({}) },
  uses: [remind],
  initial: 'open',
  states: {
    open: { on: { paid: 'settled' }, after: { '14d': 'overdue' } },
    overdue: {
      enter: ({ variables }) => remind({ to: variables.customer, text: 'your invoice is overdue' }),
      on: { paid: 'settled' },
    },
    settled: { final: true },
  },
})

const provider = mockRunner(remind, { succeed: { id: 'msg_1' } })
await using pawl = await testPawl({
  definitions: [invoice],
  runners: [provider],
  now: '2026-03-02T09:00:00Z',
})
await pawl.start(invoice, { id: 'inv_7', variables: { customer: 'ada' } })

pawl.crash({ at: 'after effect' })
await pawl.advance({ by: '15d' }).catch((error: Error) => console.log(`${error.message}\n`))
await pawl.restart()
await pawl.advance({ by: '15d' })
await pawl.send('inv_7', 'paid', {})

console.log(await pawl.story('inv_7'))
console.log('\nwhat the provider saw:')
for (const { at, attempt, key, config } of provider.interactions)
  console.log(`${at}  attempt ${attempt}  ${key}  ${JSON.stringify(config)}`)
