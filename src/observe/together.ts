// Owns several watchers as one.

import type { Observer, Started } from '../engine/observer.ts'

/** The outermost is the first; what they carry is joined. */
export const together = (observers: readonly Observer[]): Observer => {
  const carried = (
    give: (observer: Observer) => Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> =>
    Object.assign({}, ...observers.map((observer) => give(observer) ?? {}))
  return {
    claimed: (...told) => {
      for (const { claimed } of observers) claimed?.(...told)
    },
    settled: (...told) => {
      for (const { settled } of observers) settled?.(...told)
    },
    committed: (...told) => {
      for (const { committed } of observers) committed?.(...told)
    },
    started: <Value>(seen: Started, run: () => Value): Value =>
      observers.reduceRight<() => Value>(
        (inner, { started }) =>
          () =>
            started?.(seen, inner) ?? inner(),
        run,
      )(),
    asked: (type, id) => carried(({ asked }) => asked?.(type, id)),
    outgoing: () => carried(({ outgoing }) => outgoing?.()),
  }
}
