// Owns the declared answer to two questions a zone's clock raises: a local time that does not exist, and one
// that happens twice. Leaves finding them to zone.ts.

import type { Gap, Instants, Overlap } from './zone.ts'

export interface Dst {
  readonly gap: Gap
  readonly overlap: Overlap
}

/** Later by the gap's length; the first of two: what Temporal calls "compatible". */
export const DEFAULT_DST: Dst = { gap: 'shift', overlap: 'first' }

/** The instants a local time stands for under a policy: none, one or two, in order. */
export const choose = (instants: Instants, dst: Dst): readonly number[] => {
  if (instants.kind === 'single') return [instants.first]
  if (instants.kind === 'gap') return dst.gap === 'skip' ? [] : [instants.first]
  if (dst.overlap === 'both') return [instants.first, instants.last]
  return [dst.overlap === 'first' ? instants.first : instants.last]
}
