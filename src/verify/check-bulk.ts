// Owns I6 for bulk operations: what an operation says of itself is what its items say. An item is written in the commit that
// sends its action, and ended in the one that hears of it; of an operation that has ended, retention takes them slice by slice.

import type { BulkFacts } from '../store/inspect.ts'
import { type Broken, type Finding, judged, type Where } from './finding.ts'

const ENDED: ReadonlySet<string> = new Set(['stopped', 'completed'])

export const checkBulk = (facts: BulkFacts): readonly Finding[] => {
  const { namespace, tenant, id, status, bulk, items, succeeded, failed } = facts
  const where: Where = { namespace, tenant, bulk: id }
  if ('unreadable' in bulk)
    return judged({
      invariant: 'readable',
      rule: 'bulk',
      where,
      text: bulk.unreadable.message,
      expected: 'the operation as it was written',
      found: 'one that cannot be read',
    })
  const told = [bulk.sent, bulk.succeeded, bulk.failed]
  const counted = [items, succeeded, failed]
  const isRight = counted.every(
    (count, index) => count === told[index] || (ENDED.has(status) && count < told[index]!),
  )
  const broken = (rule: string, text: string, expected: string, found: string): Broken => ({
    ...{ invariant: 'I6', rule, where, text, expected, found },
  })
  const inWords = ([sent, fine, bad]: readonly number[]): string =>
    `${sent} sent, ${fine} succeeded, ${bad} failed`
  const unheard = bulk.sent - bulk.succeeded - bulk.failed
  return judged(
    !isRight &&
      broken(
        'bulk_miscounted',
        `the bulk operation ${id} does not add up to its items`,
        inWords(told),
        inWords(counted),
      ),
    status === 'completed' &&
      unheard !== 0 &&
      broken(
        'bulk_unheard',
        `the bulk operation ${id} is completed, and ${unheard} were never heard of`,
        'none',
        String(unheard),
      ),
  )
}
