import { expect, it } from 'vitest'
import type { Event } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import type { Folded } from '../core/fold.ts'
import { canonical, type JsonObject } from '../core/json.ts'
import { linesOf } from './move-lines.ts'

const event: Event = { id: 'e', type: 'email_sent', payload: {}, at: 1 }
const told = { action: 'act_1', attempt: 1, status: 'succeeded' }

const lineOf = (data: JsonObject, settled: JsonObject | undefined) => {
  const history = { type: 'execution.transitioned', data, isOrdered: true as const }
  const folded = { steps: [{ event, applied: true, history }], rest: [] } as unknown as Folded
  const [line] = linesOf(folded, {} as Execution, settled && [{ event: 'e', told: settled }], 5)
  return line!
}

it.each([
  ['before some', { from: 'a', to: 'b' }],
  ['before all', { to: 'b' }],
  ['behind all', { from: 'a' }],
])('a settlement is put where its name belongs: %s', (_, data) => {
  const line = lineOf(data, told)
  expect(line).toMatchObject({ at: 5, isOrdered: true, data: { ...data, settled: told } })
  expect(JSON.stringify(line.data)).toBe(canonical(line.data))
})

it('a step without one is told as it was decided', () => {
  const data = { from: 'a' }
  expect(lineOf(data, undefined)).toEqual({ type: 'execution.transitioned', at: 5, data, isOrdered: true })
})
