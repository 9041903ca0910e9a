// A share of the attack on recurrences of `npm run torture`.

import { expect, it } from 'vitest'
import { stormRecurrences } from './attack.ts'

it('F10 F11: three schedulers, killed at random: each occurrence is there once, and done', async () => {
  const {
    kills,
    occurrences,
    poisoned: _,
    ...found
  } = await stormRecurrences(undefined, { schedules: 8, days: 4, kills: 8 }, 7)
  console.log(`${kills} kills, ${occurrences} occurrences`)
  expect(found).toEqual({ doubled: [], lost: [], findings: [] })
  expect(kills).toBeGreaterThan(4)
  expect(occurrences).toBeGreaterThan(240)
})
