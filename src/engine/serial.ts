// Owns taking turns: what has one key is done one after the other, what has different keys beside each other. Inside a
// process nobody then conflicts with itself.

export type Serial = <T>(key: string, work: () => Promise<T>) => Promise<T>

export const createSerial = (): Serial => {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const turn = before.then(work, work)
    const settled = turn.catch(() => undefined)
    last.set(key, settled)
    try {
      return await turn
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
