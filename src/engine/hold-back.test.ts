import { expect, it } from 'vitest'
import type { ClaimedAction } from '../store/store.ts'
import { holdBack } from './hold-back.ts'

const NOW = 1_000_000
const claimed = { id: 'a', token: 1, nonce: 'x', namespace: 'n', tenant: 't', dueAt: NOW } as ClaimedAction
const untilOf = (now: number, waitMs: number, dueAt = NOW): number => {
  const { control } = holdBack({ ...claimed, dueAt }, now, { waitMs, hold: 'rate:mail' })
  return control![0]!.kind === 'hold' ? control![0]!.dueAt : Number.NaN
}

it('waits from now on', () => {
  expect(untilOf(NOW + 30, 50)).toBe(NOW + 80)
})

it('is past the clock that finds it due after a few tries, however far this one is behind', () => {
  const behind = NOW - 5000
  const until = [1, 2, 3].reduce((dueAt) => untilOf(behind, 1000, dueAt), behind)
  expect(until).toBeGreaterThan(NOW)
  expect(untilOf(NOW - 5000, 50)).toBe(NOW + 5050)
})

it('is never due again at the instant it was held', () => {
  expect(untilOf(NOW, 0)).toBe(NOW + 1)
  expect(untilOf(NOW, -50)).toBe(NOW + 1)
})

it('gives back the claim and says why', () => {
  expect(holdBack(claimed, NOW, { waitMs: 1, hold: 'rate:mail' })).toMatchObject({
    namespace: 'n',
    tenant: 't',
    control: [{ kind: 'hold', claim: { id: 'a', token: 1, nonce: 'x' }, hold: 'rate:mail' }],
  })
})
