// Owns clock changes: cuts the time line into stretches in which local time is read with one fixed offset, so that a
// schedule need only look at wall clocks. The whole of the dst policy is which stretches there are:
// R1 a local time in a gap is the old clock read on for the gap's length (02:30 → 03:30, as the old clock would say);
// R2 a local time that happens twice is left out of the second stretch (`first`), of the first (`last`), or of neither.
// Relies on changes lying days apart (zone.ts) and none moving the clock by more than a day (Apia: a whole day).

import { DAY_MS } from '../civil.ts'
import { type Gap, type Overlap, offsetAt, transitionsBetween } from '../zone.ts'

export interface Dst {
  readonly gap: Gap
  readonly overlap: Overlap
}

export interface Reading {
  /** Instants, from ≤ t < to. */
  readonly from: number
  readonly to: number
  readonly offset: number
  /** Only of an old clock that is read on through a gap: the offset of the new one, which reads the same instants. */
  readonly beside?: number
}

/** In order of `from`. */
export const readingsBetween = (
  zone: string,
  dst: Dst,
  window: { readonly from: number; readonly to: number },
): readonly Reading[] => {
  const readings: Reading[] = []
  const add = (reading: Reading): void => {
    const [from, to] = [Math.max(reading.from, window.from), Math.min(reading.to, window.to)]
    if (from < to) readings.push({ ...reading, from, to })
  }
  let start = window.from
  for (const { at, before, after } of transitionsBetween(zone, window.from - DAY_MS, window.to + DAY_MS)) {
    const repeated = Math.max(before - after, 0)
    const missing = Math.max(after - before, 0)
    add({ from: start, to: dst.overlap === 'last' ? at - repeated : at, offset: before })
    if (dst.gap === 'shift') add({ from: at, to: at + missing, offset: before, beside: after })
    start = dst.overlap === 'first' ? at + repeated : at
  }
  add({ from: start, to: window.to, offset: offsetAt(window.to, zone) })
  return readings
}
