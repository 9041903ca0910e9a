// A machine compiled from data, an execution of it, and events to send: what the tests of machines stand on.

import type { Decision } from '../../src/core/decision.ts'
import type { MachineData } from '../../src/core/definition.ts'
import type { Event } from '../../src/core/event.ts'
import { blankExecution, type Execution } from '../../src/core/execution.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { decideMachine, type Machine } from '../../src/core/triggers/machine.ts'
import { compileMachine } from '../../src/core/triggers/machine-data.ts'

export const NOW: number = Date.UTC(2026, 0, 5, 12)
export const DAY = 86_400_000

export const compile = (data: Partial<MachineData>): Machine =>
  compileMachine(
    { kind: 'machine', id: 'm', initial: 'a', states: { a: {} }, ...data },
    (variables) => variables,
  )

export const begin = (machine: Machine, variables: JsonObject = {}): Decision => {
  const blank = blankExecution({
    id: 'l_882',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: machine.id,
    definitionHash: machine.hash,
  })
  return decideMachine(machine)(blank, event('execution.started', variables), NOW)
}
export const event = (type: string, payload: Json = {}, more: Partial<Event> = {}): Event => ({
  id: `evt_${type}`,
  type,
  payload,
  at: NOW,
  ...more,
})
export const send = (machine: Machine, execution: Execution, sent: Event, now = NOW): Decision =>
  decideMachine(machine)(execution, sent, now)
export const started = (machine: Machine, variables: JsonObject = {}): Execution =>
  begin(machine, variables).execution

export const webhook = { type: 'webhook', config: { url: 'https://crm.example/{{execution.id}}' } }
