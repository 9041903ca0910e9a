// What a store is opened with in tests: real time, and chance; and commits that follow each other wherever they may.

export { realTimers } from '../../src/engine/clock.ts'

import type { Ways } from '../../src/store/ways.ts'

export const BEHIND: Ways = { now: () => 'behind', depart: () => () => undefined }

export const randomText = (): string => crypto.randomUUID() + crypto.randomUUID()
