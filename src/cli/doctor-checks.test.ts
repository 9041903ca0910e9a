import { expect, it } from 'vitest'
import { skewCheck } from './doctor-checks.ts'

it.each([
  ['they agree', 5000, 5000, 5010, 'ok', 'agree'],
  ['a database that is slow to answer has the right time', 5000, 4000, 9000, 'ok', 'agree'],
  ['a second is let pass', 5000, 3990, 4000, 'ok', 'agree'],
  ['ahead', 8000, 4000, 5000, 'warning', 'the database is 3s ahead'],
  ['behind', 1000, 4000, 5000, 'warning', 'the database is 3s behind'],
])('doctor compares clocks: %s', (_, now, from, to, status, told) => {
  expect(skewCheck(now, from, to)).toMatchObject({
    name: 'clock',
    status,
    text: expect.stringContaining(told),
  })
})
