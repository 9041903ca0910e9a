// A store whose commits are dictated, however small: a scribe without a thread (inline-scribe.ts) that is already at work, and a
// look at the file that changes nothing in it.

import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import type { Asked, Said, Scribing } from '../../src/store/sqlite/scribe.ts'
import type { Claim, Member, NewAction, Result } from '../../src/store/store.ts'
import { type Bed, open, tempFile } from './bed.ts'
import { type Inline, inlineScribe } from './inline-scribe.ts'
import { action, advance, NOW } from './members.ts'

export const isWritten = ({ said }: Inline['heard'][number]): boolean => 'haveOthersWritten' in said

export interface Dictated extends Bed, Pick<Inline, 'heard'> {
  /** A batch of one, which the scribe wrote. */
  readonly dictate: (member: Partial<Member>) => Promise<Result>
  /** As they are in the file: how often each was written, and what is in it. */
  readonly bundles: () => readonly { readonly revision: number; readonly ids: readonly string[] }[]
  /** Rows of a query, read by somebody who only looks. */
  readonly look: (query: string) => readonly Readonly<Record<string, unknown>>[]
}

/** Its lane, and the commits it takes until the scribe is at work. */
export const warmUp = async ({ commit }: Bed, isWarm: () => boolean): Promise<void> => {
  for (let n = 0; n === 0 || !isWarm(); n++)
    await commit({ advance: advance(`warm_${n}`, { actions: n === 0 ? [action('act_warm')] : [] }) })
}

const lookAt = (file: string): Dictated['look'] => {
  const db = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => db.close())
  return (query) => db.prepare(query).all()
}

/** `before` stands in the way of what is asked once the scribe is at work, `through` around all that it does. */
export const openDictated = async (
  before: (asked: Asked) => Said | undefined = () => undefined,
  through: (scribing: Scribing) => Scribing = (scribing) => scribing,
): Promise<Dictated> => {
  const file = tempFile()
  let isWarm = false
  const { scribing, heard } = inlineScribe((asked) => (isWarm ? before(asked) : undefined))
  const bed = await open({ file, scribing: through(scribing) })
  await warmUp(bed, () => heard.some(isWritten))
  isWarm = true
  heard.length = 0
  const look = lookAt(file)
  return {
    ...bed,
    heard,
    look,
    dictate: async (member) => {
      const told = heard.length
      const result = await bed.commit(member)
      expect(heard.slice(told).map(isWritten)).toEqual([true])
      return result
    },
    bundles: () =>
      look('select revision, content from begun order by number').map(({ revision, content }) => ({
        revision: revision as number,
        ids: (JSON.parse((content as string).slice(8)) as string[][]).map(([id]) => id!),
      })),
  }
}

export const LEASE_MS = 30_000
const NONCE = 'n1'

/** An action that begins as it is written. */
const born = (id: string): NewAction => ({
  ...action(id),
  claim: { worker: 'w1', nonce: NONCE, leaseMs: LEASE_MS },
})

export const claimOf = (id: string): Claim => ({ id, token: 1, nonce: NONCE })

/** An execution that begins, with actions that do. */
export const beginning = (execution: string, ...ids: readonly string[]): Partial<Member> => ({
  lease: NOW,
  advance: advance(execution, { actions: ids.map(born) }),
})
