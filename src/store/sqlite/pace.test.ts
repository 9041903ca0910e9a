import { expect, it } from 'vitest'
import { createPace } from './pace.ts'

/** How many quick ones must be seen until it is believed to be quick. */
const untilQuick = ({ isQuick, note }: ReturnType<typeof createPace>): number => {
  let seen = 0
  for (; !isQuick() && seen < 1000; seen++) note(0.2)
  return seen
}

it('a disk is believed to be quick when it has been for a while, and stays so', () => {
  const pace = createPace()
  expect(pace.isQuick()).toBe(false)
  expect(untilQuick(pace)).toBeGreaterThan(8)
  for (let n = 0; n < 100; n++) pace.note(0.9)
  expect(pace.isQuick()).toBe(true)
})

it('one that was slow counts at once; the slower it was, the longer it is remembered', () => {
  const remembered = [1.5, 20, 500].map((slow) => {
    const pace = createPace()
    untilQuick(pace)
    pace.note(slow)
    expect(pace.isQuick()).toBe(false)
    return untilQuick(pace)
  })
  expect(remembered).toEqual(remembered.toSorted((a, b) => a - b))
  expect(remembered[0]).toBeGreaterThan(1)
  expect(remembered[1]).toBeGreaterThan(10)
  expect(remembered[2]! - remembered[1]!).toBeGreaterThan(10)
  expect(remembered[2]).toBeLessThan(100)
})

it('a disk that is always a bit slow is never believed to be quick', () => {
  const pace = createPace()
  for (let n = 0; n < 1000; n++) pace.note(1.1)
  expect(pace.isQuick()).toBe(false)
})
