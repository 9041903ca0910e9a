// Owns how work flows into the store: commits in groups, and what is due at once started here. Each can be turned off, so
// that tests see the engine both ways.

import type { Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createCommitter } from './committer.ts'
import { createEager, type Eager } from './eager.ts'

export interface FlowOptions {
  /** What is due when it is written starts here at once, already claimed, where nothing else comes first. Default true. */
  readonly eager?: boolean
  /** Commits that come together are one. Default true. */
  readonly group?: boolean
}

export const createFlow = (
  { commit, flights }: Pick<Store, 'commit' | 'flights'>,
  clock: Clock,
  { eager: isEager = true, group = true }: FlowOptions = {},
): Eager => {
  const { turn } = clock.timers
  const eager = createEager(createCommitter(commit, { turn, flights, ...(!group && { batch: 1 }) }), clock)
  return isEager ? eager : { ...eager, join: () => () => undefined }
}
