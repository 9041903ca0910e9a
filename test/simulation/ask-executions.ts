// Owns what clients ask of executions: begin, take an event, change, end. Events go out twice, and again, with the same id.

import { TENANTS } from './bed.ts'
import { type Ask, type ClientParts, errand, of, type Started } from './errand.ts'
import { EVENTS } from './machines.ts'

const start =
  (parts: ClientParts): Ask =>
  async () => {
    const { seeded, started, draw, accepted } = parts
    const [tenant, definition] = [seeded.pick(TENANTS), seeded.pick(['data', 'code'])]
    const id = `${tenant}-e${draw()}`
    started.push({ tenant, id })
    const input = { id, variables: { tenant } }
    const answer = await errand(parts, ({ engine }) =>
      engine.starting.start(of(tenant), definition, input, engine.commit),
    )
    if (answer !== undefined) accepted.executions.add(`${tenant} ${id}`)
  }

/** Of an execution that somebody has begun; nothing before that. */
const onExecution =
  (parts: ClientParts, ask: (parts: ClientParts, execution: Started) => Promise<unknown>): Ask =>
  async () => {
    if (parts.started.length > 0) await ask(parts, parts.seeded.pick(parts.started))
  }

const send = async (parts: ClientParts, { tenant, id }: Started): Promise<void> => {
  const { seeded, faults, accepted, draw } = parts
  const event = { id: `ev${draw()}`, type: seeded.pick(EVENTS), payload: {} }
  const once = async (): Promise<void> => {
    const sent = await errand(parts, ({ engine }) => engine.advancing.send({ ...of(tenant), id }, event))
    if (sent !== undefined) accepted.events.add(`${tenant} ${id} ${event.id}`)
    if (sent?.applied) accepted.applied.add(`${tenant} ${id} ${event.id}`)
  }
  const first = once()
  if (faults.strikes('event: sent twice at once')) await once()
  await first
  if (faults.strikes('event: sent again')) await once()
}

const deliver = async (parts: ClientParts, { tenant, id }: Started): Promise<void> => {
  const { seeded, accepted, draw } = parts
  const event = { id: `ev${draw()}`, type: seeded.pick(EVENTS), payload: {} }
  const ref = { ...of(tenant), id }
  const kept = await errand(parts, ({ engine }) => engine.advancing.deliver(ref, event, engine.commit))
  if (kept !== undefined) accepted.events.add(`${tenant} ${id} ${kept}`)
}

const patch = (parts: ClientParts, { tenant, id }: Started): Promise<unknown> => {
  const changes = { tenant, n: parts.draw() }
  return errand(parts, ({ engine }) => engine.advancing.patch({ ...of(tenant), id }, changes))
}

const cancel = (parts: ClientParts, { tenant, id }: Started): Promise<unknown> =>
  errand(parts, ({ engine }) => engine.controls.cancelExecution(of(tenant), id, 'a person said so'))

export const executionAsks = (parts: ClientParts): Readonly<Record<string, Ask>> => ({
  start: start(parts),
  send: onExecution(parts, send),
  deliver: onExecution(parts, deliver),
  patch: onExecution(parts, patch),
  'cancel execution': onExecution(parts, cancel),
})
