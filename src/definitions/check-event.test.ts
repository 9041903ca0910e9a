import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runner } from '../runners/runner.ts'
import { checkEvent } from './check-event.ts'
import { machine } from './machine.ts'

const notify = runner({ type: 'notify', config: z.object({}), event: 'notified', execute: () => null })
const lease = machine({
  id: 'lease',
  events: {
    'notice.received': z.object({ until: z.iso.date(), by: z.string().default('post') }),
    dated: z.object({ at: z.coerce.date() }),
    note: z.unknown(),
  },
  uses: [notify],
  initial: 'a',
  states: { a: { on: { 'notice.received': 'a', dated: 'a', note: 'a', notified: 'a' } } },
})

const refusal = (type: string, payload: unknown) => {
  try {
    checkEvent(lease, type, payload)
  } catch (failure) {
    return failure
  }
  throw new Error('it was accepted')
}

describe('checkEvent', () => {
  it('returns the payload as it will be kept, defaults filled in', () => {
    expect(checkEvent(lease, 'notice.received', { until: '2026-12-31' })).toEqual({
      until: '2026-12-31',
      by: 'post',
    })
  })

  it('refuses a payload that does not fit, with its path', () => {
    expect(refusal('notice.received', { until: 'soon', by: 7 })).toMatchObject({
      code: 'event_invalid',
      message: expect.stringMatching(/^payload\.until: .*, and 1 more$/),
      details: { path: 'payload.until' },
    })
    expect(refusal('notice.received', undefined)).toMatchObject({
      code: 'event_invalid',
      details: { path: 'payload' },
    })
  })

  it('refuses what the schema makes into something other than JSON, and what was not JSON to begin with', () => {
    expect(refusal('dated', { at: '2026-01-05' })).toMatchObject({
      message: 'payload.at: a Date is not JSON',
    })
    expect(refusal('note', { at: new Date(0) })).toMatchObject({ message: 'payload.at: a Date is not JSON' })
  })

  it('refuses a payload above 256 KiB', () => {
    expect(refusal('note', 'x'.repeat(300_000))).toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('“note”'),
    })
  })

  it.each([
    'execution.started',
    'action.succeeded',
    'action.failed',
    'timer.fired',
    'variables.patched',
    'notified',
  ])('refuses %s: nobody but the engine says it', (type) => {
    expect(refusal(type, {})).toMatchObject({
      code: 'event_invalid',
      message: `“${type}” is said by the engine and cannot be sent`,
      details: { path: 'type', expected: 'one of notice.received, dated, note' },
    })
  })

  it('lets an event pass that the machine does not know: its states ignore it', () => {
    expect(checkEvent(lease, 'weather.changed', { rain: true })).toEqual({ rain: true })
    expect(checkEvent({ payloads: new Map() }, 'weather.changed', null)).toBeNull()
  })

  it('says nothing of other events where none are declared', () => {
    expect(() => checkEvent({ payloads: new Map() }, 'timer.fired', {})).toThrow(
      expect.objectContaining({ details: { path: 'type' } }),
    )
  })

  it('keeps a payload that the schema makes null', () => {
    const nulled = { payloads: new Map([['x', () => null]]) }
    expect(checkEvent(nulled, 'x', 'something')).toBeNull()
  })
})
