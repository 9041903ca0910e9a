import { describe, expect, it } from 'vitest'
import { blankExecution, type ExecutionStatus, hasEnded } from './execution.ts'

const born = {
  id: 'l_882',
  namespace: 'default',
  tenant: 'acme',
  kind: 'machine',
  definition: 'lease',
  definitionHash: 'abc',
} as const

describe('an execution', () => {
  it('is born active, in no state, with nothing in it', () => {
    expect(blankExecution(born)).toEqual({
      ...born,
      status: 'active',
      state: null,
      variables: {},
      visits: {},
      pending: { timers: [], actions: [] },
    })
  })

  it('shares nothing with another', () => {
    const [one, other] = [blankExecution(born), blankExecution(born)]
    for (const part of ['variables', 'visits', 'pending'] as const) expect(one[part]).not.toBe(other[part])
    expect(one.pending.timers).not.toBe(other.pending.timers)
    expect(one.pending.actions).not.toBe(other.pending.actions)
  })

  it.each<[ExecutionStatus, boolean]>([
    ['active', false],
    ['waiting', false],
    ['paused', false],
    ['completed', true],
    ['failed', true],
    ['cancelled', true],
  ])('%s: ended %s', (status, ended) => {
    expect(hasEnded({ ...blankExecution(born), status })).toBe(ended)
  })
})
