// Owns actions that began as they were written, while the scribe writes: what one transaction begins is one bundle, one row of
// `begun`, and most are settled before anybody asks for them. They are given rows of their own (unfolded) before anything is done
// to them but to settle them here, and before anybody reads: nobody but this module sees a bundle.
// B1  A bundle of this process is known here only since the event loop last wrote: whoever writes without the scribe, or reads
//     what runs, has unfolded all there are.
// B2  Each change of a bundle is held to its revision, so that what was dictated after something that was undone is undone too.

import { sha256Hex } from '../../core/hash.ts'
import type { Claim, Settle, Tenancy } from '../store.ts'
import type { Connection } from './connection.ts'
import { Unforeseen } from './dictation.ts'
import { sealOptional, sealText, unsealed } from './sealed.ts'
import type { Statements } from './statements.ts'

/** As it is in a bundle, and as `unfoldBegun` reads it. */
type Row = readonly [
  id: string,
  namespace: string,
  tenant: string,
  lane: number,
  execution: string | null,
  sourceKind: string,
  sourceId: string,
  dueAt: number,
  token: number,
  nonce: string,
  worker: string,
  leaseUntil: number,
  size: number,
  createdAt: number,
  plan: string,
]

/** What `insertAction` would write of one that is born claimed. */
export interface BornClaimed {
  readonly id: string
  readonly namespace: string
  readonly tenant: string
  readonly lane: number
  readonly execution: string | null
  readonly source_kind: string
  readonly source_id: string
  readonly due_at: number
  readonly token: number
  readonly nonce: string | null
  readonly worker: string | null
  readonly lease_until: number | null
  readonly size: number
  readonly created_at: number
  readonly dedup_key: string | null
  readonly error: string | null
  readonly plan: string
}

interface Bundle {
  readonly number: number
  revision: number
  readonly rows: Map<string, Row>
}

/** One transaction that is dictated. */
export interface Bundling {
  readonly begin: (born: BornClaimed) => void
  /** False: it is in no bundle that is known here. */
  readonly settle: (of: Tenancy, settle: Settle) => boolean
  readonly hasSettled: (id: string) => boolean
  /** What became of bundles. */
  readonly flush: () => void
}

export interface Begun {
  /** From now on there is a table for them. */
  readonly open: () => void
  readonly dictate: (sql: Statements) => Bundling
  /** What was being dictated is given up: no bundle is as it was known. */
  readonly forget: () => void
  /** Is there any bundle, of whichever process? */
  readonly isAny: () => boolean
  /** Inside a transaction: everything has a row of its own. */
  readonly unfold: (sql: Statements) => void
}

/** A bundle of which parts end apart is written so often, then what is left of it gets rows of its own. */
const MOST_REVISIONS = 4

const rowOf = (born: BornClaimed): Row => [
  born.id,
  born.namespace,
  born.tenant,
  born.lane,
  born.execution,
  born.source_kind,
  born.source_id,
  born.due_at,
  born.token,
  born.nonce!,
  born.worker!,
  born.lease_until!,
  born.size,
  born.created_at,
  born.plan,
]

const writeSettled = (
  sql: Statements,
  row: Row,
  { settlement, attempt, startedAt, endedAt }: Settle,
): void => {
  const [id, namespace, tenant, lane, execution, source_kind, source_id, due_at, token] = row
  sql.insertSettled.run({
    id,
    namespace,
    tenant,
    lane,
    execution,
    source_kind,
    source_id,
    due_at,
    attempt,
    lost: settlement.lost,
    reaps: settlement.reaps,
    token,
    worker: row[10],
    size: row[12],
    created_at: row[13],
    started_at: attempt > 0 ? startedAt : null,
    finished_at: endedAt,
    result: sealOptional(settlement.result),
    plan: row[14],
  })
}

const isHeld = (row: Row, { namespace, tenant }: Tenancy, { token, nonce }: Claim): boolean =>
  row[8] === token && row[9] === nonce && row[1] === namespace && row[2] === tenant

const textOf = (rows: ReadonlyMap<string, Row>): string => JSON.stringify([...rows.values()])

/** Writes what is left of a bundle; false: nothing is, in the bundle. */
const rewrite = (sql: Statements, bundle: Bundle): boolean => {
  const { number, revision, rows } = bundle
  if (rows.size > 0 && revision < MOST_REVISIONS) {
    sql.rewriteBegun.run({ number, revision, content: sealText(textOf(rows)) })
    bundle.revision += 1
    return true
  }
  if (rows.size > 0) sql.unfoldBegun.run({ rows: textOf(rows) }, rows.size)
  sql.dropBegun.run({ number, revision })
  return false
}

interface Found {
  readonly number: number
  readonly content: string
}

/** Nobody else's: 48 bits are drawn once, and counted on from. */
const createNumbers = (random: () => string): (() => number) => {
  let last = Number.parseInt(sha256Hex(random()).slice(0, 12), 16)
  return () => {
    last += 1
    return last
  }
}

/** One transaction. `known` are the bundles of this process, by what is in them: it is as if all of it were written already (B2). */
const bundle = (sql: Statements, known: Map<string, Bundle>, number: number): Bundling => {
  const fresh: Bundle = { number, revision: 1, rows: new Map() }
  const touched = new Set<Bundle>()
  const settled = new Set<string>()
  return {
    begin: (born) => {
      // What only a row of its own can say.
      if (born.dedup_key !== null || born.error !== null) throw new Unforeseen('a key, or an error')
      if (fresh.rows.has(born.id)) throw new Unforeseen('an id twice')
      fresh.rows.set(born.id, rowOf(born))
    },
    settle: (of, settle) => {
      const { id } = settle.claim
      const found = known.get(id)
      if (found === undefined) return false
      const row = found.rows.get(id)!
      if (!isHeld(row, of, settle.claim)) throw new Unforeseen('settle')
      writeSettled(sql, row, settle)
      found.rows.delete(id)
      known.delete(id)
      touched.add(found)
      settled.add(id)
      return true
    },
    hasSettled: (id) => settled.has(id),
    flush: () => {
      for (const one of touched) if (!rewrite(sql, one)) for (const id of one.rows.keys()) known.delete(id)
      if (fresh.rows.size === 0) return
      sql.insertBegun.run({ number, content: sealText(textOf(fresh.rows)) })
      for (const id of fresh.rows.keys()) known.set(id, fresh)
    },
  }
}

/** For who writes to a file that has no table for them. */
export const NONE_BEGUN: Pick<Begun, 'isAny' | 'unfold'> = { isAny: () => false, unfold: () => undefined }

/** `random` is at least 128 random bits as text. */
export const createBegun = (connection: Connection, random: () => string): Begun => {
  const draw = createNumbers(random)
  const known = new Map<string, Bundle>()
  let isOpen = false
  const isAnyBy = (sql: Statements): boolean => isOpen && sql.anyBegun.get() !== undefined
  return {
    open: () => {
      isOpen = true
    },
    dictate: (sql) => bundle(sql, known, draw()),
    forget: () => known.clear(),
    isAny: () => isAnyBy(connection.sql),
    unfold: (sql) => {
      known.clear()
      if (!isAnyBy(sql)) return
      for (const { number, content } of sql.readBegun.all<Found>())
        sql.unfoldBegun.run({ rows: unsealed(content, `bundle ${number} of what has begun`) })
      sql.clearBegun.run()
    },
  }
}
