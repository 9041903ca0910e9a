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

export const EQUIVALENT: readonly Equivalent[] = []
