import { afterAll, it } from 'vitest'
import { closePostgres } from './open-postgres.ts'
import { playTally, TALLIES } from './tallies.ts'

afterAll(closePostgres)

it.each(TALLIES)('tallies: %s', playTally)
