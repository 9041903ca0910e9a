// Owns putting a claimed action back for a while: the one place where how long becomes until when.

import type { ClaimedAction, Member } from '../store/store.ts'

/**
 * The claim was made by the store's clock. Where this machine's is behind it, a little later than now is due there already, and
 * would be claimed and held without end. What is due after now shows by how much it is behind at least: counted twice, the
 * next guess is twice as large, and some ten are enough.
 */
export const holdBack = (
  { id, token, nonce, namespace, tenant, dueAt }: ClaimedAction,
  now: number,
  { waitMs, hold }: { readonly waitMs: number; readonly hold: string },
): Member => {
  const behindMs = Math.max(0, dueAt - now)
  const until = now + 2 * behindMs + Math.max(1, waitMs)
  const control = [{ kind: 'hold' as const, claim: { id, token, nonce }, dueAt: until, hold }]
  return { namespace, tenant, at: now, control }
}
