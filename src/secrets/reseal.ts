// Owns rotation of keys: rows sealed with an older key are sealed anew with the current one, a slice at a time. Version
// and dates stay: the value is the same. A value that is set meanwhile wins, because a vault keeps the newer version.

import { PawlError } from '../core/errors.ts'
import type { Sealer } from './seal.ts'
import type { Tenancy } from './secret.ts'
import type { Vault } from './vault.ts'

export interface Resealed {
  /** Rows of this slice that are no longer sealed with an older key. */
  readonly resealed: number
  /** Rows of older keys that are still to be done: go on until it is 0. */
  readonly left: number
  /** Rows that do not open, and why. They keep their key, and are not counted as left. */
  readonly unreadable: readonly { readonly name: string; readonly error: PawlError }[]
}

interface Slice {
  readonly vault: Vault
  readonly sealer: Sealer
  readonly of: Tenancy
  readonly limit: number
}

export const reseal = async (slice: Slice): Promise<Resealed> => {
  const { vault, sealer, of, limit } = slice
  const old = (await vault.list(of)).filter(({ keyId }) => keyId !== sealer.current)
  const unreadable: { name: string; error: PawlError }[] = []
  let resealed = 0
  for (const { name } of old) {
    if (resealed === limit) break
    const error = await resealRow(slice, name)
    if (error === undefined) resealed++
    else unreadable.push({ name, error })
  }
  return { resealed, left: old.length - resealed - unreadable.length, unreadable }
}

const resealRow = async ({ vault, sealer, of }: Slice, name: string): Promise<PawlError | undefined> => {
  const row = await vault.get(of, name)
  if (row === undefined) return undefined
  try {
    const { version, hosts } = row
    await vault.put(of, { ...row, ...sealer.seal(of, { name, version, hosts }, sealer.open(of, row)) })
    return undefined
  } catch (failure) {
    if (failure instanceof PawlError && UNREADABLE.includes(failure.code)) return failure
    throw failure
  }
}

const UNREADABLE: readonly string[] = ['secret_key_unknown', 'secret_unreadable']
