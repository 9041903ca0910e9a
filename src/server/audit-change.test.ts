import { expect, it } from 'vitest'
import { auditData } from './audit-change.ts'

const ADA = { id: 'key_ada' }

it('keeps who, what, the request, and only what differs', () => {
  const change = {
    type: 'execution.paused',
    subject: 'l_1',
    before: { id: 'l_1', status: 'active', variables: { n: 1 } },
    after: { id: 'l_1', status: 'paused', variables: { n: 1 }, reason: 'lunch', nothing: undefined },
  }
  expect(auditData(change, ADA, 'req_1')).toEqual({
    actor: 'key_ada',
    subject: 'l_1',
    requestId: 'req_1',
    before: { status: 'active' },
    after: { status: 'paused', reason: 'lunch' },
  })
})

it('what was not there is null, what is new is whole', () => {
  expect(auditData({ type: 't', subject: 's', after: { a: 1 } }, ADA, 'r')).toMatchObject({
    before: null,
    after: { a: 1 },
  })
  expect(auditData({ type: 't', subject: 's', before: { a: 1 } }, ADA, 'r')).toMatchObject({
    before: { a: 1 },
    after: null,
  })
})

it('large values are kept by size and hash, member by member', () => {
  const { after } = auditData(
    { type: 't', subject: 's', after: { big: 'x'.repeat(5000), small: 1 } },
    ADA,
    'r',
  )
  expect(after).toEqual({ big: { bytes: 5002, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, small: 1 })
})
