// Owns taking turns: what has one key is done one after the other, what has different keys beside each other. Inside a
// process nobody then conflicts with itself.

import { createPigeonholes } from './pigeonholes.ts'

export type Serial = <T>(key: string, work: () => Promise<T>) => Promise<T>

export const createSerial = (): Serial => {
  const last = createPigeonholes<Promise<void>>()
  return (key, work) => {
    const before = last.get(key)
    const turn = before === undefined ? work() : before.then(work)
    const over = (): void => {
      if (last.get(key) === settled) last.delete(key)
    }
    const settled: Promise<void> = turn.then(over, over)
    last.set(key, settled)
    return turn
  }
}
