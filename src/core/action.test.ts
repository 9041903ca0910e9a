import { expect, it } from 'vitest'
import { shownStatus } from './action.ts'

it.each([
  ['queued', 1000, 0, 'scheduled'],
  ['queued', 500, 0, 'ready'],
  ['queued', 1000, 2, 'retrying'],
  ['running', 500, 1, 'running'],
  ['dead', 500, 3, 'dead'],
] as const)('%s, due %i, attempt %i, at 500 is shown as %s', (status, dueAt, attempt, shown) => {
  expect(shownStatus({ status, dueAt, attempt }, 500)).toBe(shown)
})
