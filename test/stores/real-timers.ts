// What a store is opened with in tests: real time, and chance.

export { realTimers } from '../../src/engine/clock.ts'

export const randomText = (): string => crypto.randomUUID() + crypto.randomUUID()
