// The lease of the guide with the runner it uses: what the tests of the test kit test things on.

import { z } from 'zod'
import { machine } from '../../src/definitions/machine.ts'
import { type ParsedMachine, parseDefinitions } from '../../src/definitions/parse.ts'
import { runner } from '../../src/runners/runner.ts'

/** Not reached in any test: a mock stands in its place. */
export const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  execute: async () => ({ id: 'real' }),
})

export const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string() }),
  events: { 'notice.received': z.object({ until: z.iso.date() }), 'notice.withdrawn': z.object({}) },
  uses: [notify],
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: {
      enter: ({ variables, event }) =>
        event.type === 'notice.received' &&
        notify({ to: variables.landlord, text: `until ${event.payload.until}` }),
      on: { notified: 'terminating', 'action.failed': 'stuck', 'notice.withdrawn': 'active' },
      after: { '30d': 'terminated' },
    },
    terminating: { after: { '30d': 'terminated' } },
    stuck: {},
    terminated: { final: true },
  },
})

const FILE = `
kind: machine
id: reminders
initial: open
variables: { type: object, properties: { email: { type: string } }, required: [email] }
events:
  overdue: { type: object, properties: { days: { type: integer } }, required: [days] }
states:
  open:
    on:
      overdue:
        - { to: reminded, condition: { '>': [{ var: event.payload.days }, 5] } }
  reminded:
    enter:
      type: email
      config: { to: '{{variables.email}}', template: overdue }
    on: { email_sent: open, action.failed: stuck }
    after: { 2w: stuck }
  stuck: {}
`

/** The same kind of thing as a file. */
export const reminders = parseDefinitions(FILE, { file: 'reminders.yaml' }).definitions[0] as ParsedMachine
