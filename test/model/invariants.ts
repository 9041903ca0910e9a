// Owns the list of what must hold, in the words of the models. I1–I10 are the protocol's own, P the store port's
// (src/store/store.ts), S the settlement's (src/core/settle.ts), O and T what inbox and timers promise. A model states
// those that it can break.

export const INVARIANTS = {
  I1: 'an event is applied once: never twice, and never marked without being applied',
  I2: 'what has ended does not change',
  I3: 'one logical action has one idempotency key, and no other action has it',
  I4: 'what succeeded was done at the receiver, and nothing is done that was never accepted',
  I5: 'a settled action and its result event are there together, once',
  I6: 'what was accepted is queued, running or ended, and the counters say so',
  I7: 'nothing is stuck: from every state an end can be reached without a further fault',
  I8: 'an occurrence has one fate: never two, and none in the past is without',
  I10: 'attempts stay within maxAttempts, expiries within maxReaps',
  P3: 'only the holder of a claim, or the reaper after its lease, changes a claimed action',
  S2: 'an effect whose success reached the store is not handed out again',
  S3: 'under at_most_once no effect happens twice',
  O1: 'events are applied in the order in which they were accepted',
  T1: 'a timer of a state that was left changes nothing',
} as const

export type InvariantId = keyof typeof INVARIANTS
