// Owns the way out of a member that turned out to lose after its first write: two parts of one member stood in each
// other's way. It is undone alone, and reported like any other loser.

import type { Result } from '../store.ts'

export class LostMember extends Error {
  readonly result: Result

  constructor(status: 'conflict' | 'duplicate', subject: string) {
    super(`${status}: ${subject}`)
    this.name = 'LostMember'
    this.result = { status, subject }
  }
}
