// Owns what a worker does when its process is asked to end: the first signal drains, the second ends at once. Only used
// when the program asks for it; a library does not take over its process by itself.

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Returns how to stop listening. After the drain the process ends as the signal would have ended it. */
export const stopOnSignals = (stop: (isNow: boolean) => Promise<void>): (() => void) => {
  let count = 0
  const leave = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    count += 1
    const isNow = count > 1
    void stop(isNow).finally(() => {
      leave()
      process.kill(process.pid, signal)
    })
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return leave
}
