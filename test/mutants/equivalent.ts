// Owns the mutants that no test can kill because they do not change what the program does. The list is the last resort:
// code in which such a mutant does not exist says the same in fewer words. An entry that fits no mutant is an error.

export interface Equivalent {
  readonly file: string
  /** The line it is on, without indentation. */
  readonly line: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

const PLANNER = 'src/core/planner.ts'
const DEALT =
  'for (const tenant of leastRunning(ring)) tenant.undealt += ring.length === 1 ? left : tenant.known'
const QUICKER = 'who is alone gets every pick in either way: this one has fewer rounds'

export const EQUIVALENT: readonly Equivalent[] = [
  { file: PLANNER, line: DEALT, original: 'ring.length === 1', replacement: 'false', reason: QUICKER },
  { file: PLANNER, line: DEALT, original: '1', replacement: '(0)', reason: QUICKER },
  {
    file: PLANNER,
    line: 'if (waiting.length === 1) {',
    original: 'waiting.length === 1',
    replacement: 'false',
    reason: QUICKER,
  },
]
