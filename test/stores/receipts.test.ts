import { afterAll, it } from 'vitest'
import { closePostgres } from './open-postgres.ts'
import { playReceipt, RECEIPTS } from './receipts.ts'

afterAll(closePostgres)

it.each(RECEIPTS)('receipts: %s', playReceipt)
