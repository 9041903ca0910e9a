// Owns claiming, extending and reaping: who may run an action until when. One statement each. When the answer to a
// claim is lost, what it took is found again by its nonce. Claims made together are written down together (sheets.ts).

import type { Claim, ClaimedAction, ClaimRequest, Clocks, Extended, UnreadableAction } from '../store.ts'
import { type FreshRecord, toClaimed } from './claimed.ts'
import { keyOf } from './draft.ts'
import { type Marks, NO_MARK } from './marks.ts'
import { type Patience, patiently } from './patience.ts'
import type { Sheets } from './sheets.ts'
import type { Statements } from './statements.ts'

type Taken = ClaimedAction | UnreadableAction
type Search = Pick<ClaimRequest, 'shares' | 'batch' | 'byteBudget'>

/** In the order of the shares, then oldest first. */
const inOrder = ({ shares, nonce }: ClaimRequest, rows: readonly FreshRecord[]): readonly Taken[] => {
  const place = new Map(shares.map(({ lane }, index) => [lane, index]))
  const at = ({ lane }: Taken): number => place.get(lane) ?? place.size
  return rows
    .map((row) => toClaimed(row, nonce))
    .sort((a, b) => at(a) - at(b) || a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
}

/** What lanes that were searched from a mark on have left to give: it may be below the mark. */
const missingOf = (
  { shares, batch, byteBudget }: Search,
  marks: Marks,
  rows: readonly FreshRecord[],
): Search => {
  const given = Map.groupBy(rows, ({ lane }) => lane)
  const missing = shares.flatMap(({ lane, n }) =>
    marks.of(lane) === NO_MARK ? [] : [{ lane, n: n - (given.get(lane)?.length ?? 0) }],
  )
  return {
    shares: missing.filter(({ n }) => n > 0),
    batch: batch - rows.length,
    byteBudget: byteBudget - rows.reduce((sum, { size }) => sum + size, 0),
  }
}

export interface ClaimParts {
  readonly sql: Statements
  readonly patience: Patience
  readonly marks: Marks
  readonly sheets: Sheets
}

export const claimActions = async (
  { sql, patience, marks, sheets }: ClaimParts,
  request: ClaimRequest,
): Promise<readonly Taken[]> => {
  const { nonce } = request
  const taken: FreshRecord[] = []
  const search = async ({ shares, batch, byteBudget }: Search, from: Marks['of']) => {
    let isLost = false
    const claim = async (): Promise<readonly FreshRecord[]> => {
      if (isLost) {
        const { rows } = await sql.claimedActions<FreshRecord>({ nonce })
        const found = rows.filter(({ id }) => taken.every((one) => one.id !== id))
        if (found.length > 0) return found
      }
      isLost = true
      const { rows } = await sql.claimActions<FreshRecord>({
        lanes: shares.map(({ lane }) => lane),
        shares: shares.map(({ n }) => n),
        marks: shares.map(({ lane }) => from(lane).due_at),
        passed: shares.map(({ lane }) => from(lane).id),
        now: request.now ?? null,
        batch,
        budget: byteBudget,
        lease_ms: request.leaseMs,
        nonce,
        worker: request.worker,
        lease: request.lease ?? null,
        over: sheets.takeOver(),
      })
      sheets.begin(rows, nonce)
      return rows
    }
    if (shares.length === 0 || batch <= 0) return
    for (const row of await patiently(patience, claim)) taken.push(row)
  }
  const shares = request.shares.filter(({ lane, n }) => lane > 0 && n > 0)
  const asked = { ...request, shares }
  await search(asked, marks.of)
  const missing = missingOf(asked, marks, taken)
  if (missing.byteBudget > 0) await search(missing, () => NO_MARK)
  marks.learn(shares, taken)
  return inOrder(request, taken)
}

const proofOf = ({ id, token, nonce }: Claim): string => keyOf(id, token, nonce)

export const extendLeases = async (
  sql: Statements,
  claims: readonly Claim[],
  leaseMs: number,
  { lease }: Clocks,
): Promise<Extended> => {
  const sorted = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { rows } = await sql.extendLeases<Claim & { cancel_requested: boolean }>({
    ids: sorted.map(({ id }) => id),
    tokens: sorted.map(({ token }) => token),
    nonces: sorted.map(({ nonce }) => nonce),
    lease_ms: leaseMs,
    lease: lease ?? null,
  })
  const held = new Map(rows.map((row) => [proofOf(row), row.cancel_requested]))
  return {
    lost: claims.filter((claim) => !held.has(proofOf(claim))),
    cancelled: claims.filter((claim) => held.get(proofOf(claim)) === true),
  }
}
