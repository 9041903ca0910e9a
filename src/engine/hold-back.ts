// Owns putting a claimed action back for a while: the one place where how long becomes until when.

import type { ClaimedAction, Member } from '../store/store.ts'

/**
 * The claim was made by the store's clock. Where this machine's is behind it, its own now would be due there already: claimed,
 * held and claimed again without end. It was due when it was claimed, so it is late from then on at least.
 */
export const holdBack = (
  { id, token, nonce, namespace, tenant, dueAt }: ClaimedAction,
  now: number,
  { waitMs, hold }: { readonly waitMs: number; readonly hold: string },
): Member => {
  const until = Math.max(now, dueAt) + Math.max(1, waitMs)
  const control = [{ kind: 'hold' as const, claim: { id, token, nonce }, dueAt: until, hold }]
  return { namespace, tenant, at: now, control }
}
