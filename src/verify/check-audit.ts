// Owns the audit (S56): every entry of a tenant follows from the one before it, from the first; none was changed, none is
// missing.

import { hash } from 'node:crypto'
import type { Json } from '../core/json.ts'
import { auditStart } from '../store/audit.ts'
import type { AuditFacts } from '../store/inspect.ts'
import { type Finding, judged } from './finding.ts'
import { sortedText } from './sorted-text.ts'

const hashOf = (...parts: readonly Json[]): string => hash('sha256', sortedText(parts), 'hex')

export const checkAudit = (facts: AuditFacts): readonly Finding[] => {
  const { namespace, tenant, number, entry, hashBefore } = facts
  const where = { namespace, tenant, entry: number }
  if ('unreadable' in entry)
    return judged({
      invariant: 'readable',
      rule: 'audit',
      where,
      text: entry.unreadable.message,
      expected: 'the entry as it was written',
      found: 'one that cannot be read',
    })
  const before = number === 1 ? auditStart(facts).hash : hashBefore
  const { prevHash, type, at, data } = entry
  const isWhole = before === prevHash && entry.hash === hashOf(prevHash, number, type, at, data)
  return judged(
    !isWhole && {
      invariant: 'audit',
      rule: 'broken_link',
      where,
      text: `entry ${number} of the audit does not follow from the one before it: one was changed, or is missing`,
      expected: `the hash of its content and of entry ${number - 1}`,
      found: before === null ? `no entry ${number - 1}` : 'another hash',
    },
  )
}
