// What a store is opened with in tests: real time, and chance.

export { realTimers } from '../../src/testing/real-timers.ts'

export const randomText = (): string => crypto.randomUUID() + crypto.randomUUID()
