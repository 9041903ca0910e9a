// Owns the question whether checkpoints cover what they should: made while others write, of executions that have the same
// names in other tenants, and computed again by verify, which reads with statements of its own.

import assert from 'node:assert/strict'
import type { Tenancy } from '../../src/store/store.ts'
import { type Bed, makeBed } from '../../src/testing/store-conformance/bed.ts'
import {
  advance,
  ELSEWHERE,
  entry,
  NOW,
  OF,
  OTHER,
  step,
} from '../../src/testing/store-conformance/members.ts'
import { verify } from '../../src/verify/verify.ts'
import type { Stand } from '../stores/open-sqlite.ts'

const EXECUTIONS = ['e', 'f', 'g']
/** More than one slice of a checkpoint. */
const CROWD = Array.from({ length: 505 }, (_, n) => `z${String(n).padStart(3, '0')}`)

const begin = async (bed: Bed): Promise<void> => {
  for (const [count, of] of [OF, OTHER, ELSEWHERE].entries())
    for (const id of EXECUTIONS.slice(count)) {
      const history = Array.from({ length: count + 2 }, (_, n) => entry(`${of.tenant} ${n}`))
      await bed.start(id, { history, actions: [step(`${of.namespace} ${of.tenant} ${id}`)] }, of)
    }
  await bed.start('blank')
  const begun = CROWD.map((id) => ({ ...OF, at: NOW, advance: advance(id, { history: [entry('signed')] }) }))
  await bed.store.commit(begun)
}

const note = (bed: Bed, of: Tenancy, execution?: string) =>
  bed.ok({
    ...of,
    record: [
      { type: 'noted', at: NOW, data: { of: of.tenant }, ...(execution !== undefined && { execution }) },
    ],
  })

const move = (bed: Bed, id: string) => bed.step(id, { history: [entry('on'), entry('and on')] })

/** While another transaction is open its number ends the feed: what came after it is written, and not covered. */
const behindAnother = async (bed: Bed): Promise<void> => {
  await bed.transact(async (commit) => {
    await commit([{ ...OTHER, at: NOW, record: [{ type: 'slow', at: NOW, data: {} }] }])
    await move(bed, 'f')
    await note(bed, OF, 'f')
    await bed.keeper.checkpoint(NOW + 3)
  })
}

/** Throws when a checkpoint does not cover what verify says it should. */
export const checkCheckpoints = async (stand: Stand, isShared: boolean): Promise<void> => {
  const bed = makeBed(stand)
  await bed.keeper.checkpoint(NOW)
  await begin(bed)
  await note(bed, OTHER)
  await bed.caughtUp()
  await bed.keeper.checkpoint(NOW + 1)
  await move(bed, 'e')
  // Whoever writes meanwhile is covered by the next one.
  await Promise.all([bed.keeper.checkpoint(NOW + 2), move(bed, CROWD.at(-1)!), note(bed, OF, 'e')])
  if (isShared) await behindAnother(bed)
  await move(bed, 'g')
  await note(bed, ELSEWHERE)
  await bed.caughtUp()
  const { heads } = await bed.keeper.checkpoint(NOW + 4)
  assert.equal(heads, 6 + CROWD.length, 'chains that are covered')
  const report = await verify({ inspector: stand.inspector, limits: { checkpoints: 9, slice: 20 } })
  const found = report.findings.filter(({ invariant }) => invariant === 'checkpoint')
  assert.deepEqual({ found, unchecked: report.unchecked }, { found: [], unchecked: [] })
  assert.equal(report.checked.checkpoints, isShared ? 5 : 4)
}
