import { afterAll, it } from 'vitest'
import { closePostgres } from './open-postgres.ts'
import { STANDOFFS, standoff } from './standoffs.ts'

afterAll(closePostgres)

it.each(STANDOFFS)('while another transaction holds rows: %s', standoff)
