import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import { fill, flipOf, flipped, readFile } from '../../../test/sqlite/bit-flips.ts'

const FLIPS = Number(process.env['PAWL_FLIPS'] ?? 100)

it(`F31: ${FLIPS} flipped bits: the answer that was written or a refusal, never another one`, {
  timeout: 600_000,
}, async () => {
  const file = tempFile()
  const bed = await open({ file })
  await fill(bed)
  await bed.store.close()
  const truth = await readFile(file)
  expect(truth.length).toBeGreaterThan(20_000)
  const bytes = readFileSync(file)
  const told = { refused: 0, unharmed: 0 }
  for (let n = 0; n < FLIPS; n++) {
    const flip = flipOf(n, bytes)
    const answer = await readFile(flipped(file, flip))
    if (answer === 'refused') told.refused += 1
    else {
      expect(answer === truth, `bit ${flip.bit} of byte ${flip.byte}`).toBe(true)
      told.unharmed += 1
    }
  }
  console.log(
    `${FLIPS} flips of ${bytes.length} bytes: ${told.refused} refused, ${told.unharmed} without effect`,
  )
  expect(told.refused).toBeGreaterThan(FLIPS / 20)
})
