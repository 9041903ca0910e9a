// Owns the verdict on one simulated world: the first thing that must not be, and the story that led to it.

export const INVARIANTS = {
  I1: 'an event is applied to an execution at most once, and nothing else moves it',
  I2: 'what has ended never changes; a status only follows from the one before it',
  I3: 'one step has one key and the same bytes in every effect',
  I4: 'succeeded: an effect was made',
  I5: 'settled: its result event is applied or waits, written in the same commit',
  I6: 'nothing that was accepted is lost, and everything is in one place',
  I7: 'a claim is handed out once, and only its holder, or its expiry, ends it',
  I8: 'an occurrence gets its fate once, with its row and its action, and none is passed over',
  I9: 'left alone, everything ends, waits for an event, or says why not',
  I10: 'no more attempts, expiries or effects than allowed',
  I11: 'nothing crosses tenants',
  I12: 'no secret in any row or line',
  L1: 'no more begin in a window, or run at once, than a limit says',
  chain: 'the history of an execution is one unbroken chain',
  code: 'nothing throws that nobody meant to',
} as const

export type Invariant = keyof typeof INVARIANTS

export interface Violation {
  readonly invariant: Invariant
  readonly what: string
  readonly step: number
}

export interface Judge {
  readonly broken: () => Violation | undefined
  readonly find: (invariant: Invariant, what: string) => void
  /** Says it unless it holds. */
  readonly hold: (holds: boolean, invariant: Invariant, what: () => string) => void
  /** One step, in words. */
  readonly tell: (line: string) => void
  /** What came of the step that is under way. */
  readonly note: (line: string) => void
  readonly steps: () => number
  readonly story: () => readonly string[]
  /** A number over the whole story: equal stories, equal traces. */
  readonly trace: () => number
}

const KEPT = 60

export const createJudge = (): Judge => {
  let broken: Violation | undefined
  let steps = 0
  let trace = 0x811c_9dc5
  const lines: string[] = []
  const find: Judge['find'] = (invariant, what) => {
    broken ??= { invariant, what, step: steps }
  }
  const write = (line: string): void => {
    for (let index = 0; index < line.length; index++)
      trace = Math.imul(trace ^ line.charCodeAt(index), 0x0100_0193)
    lines.push(line)
    if (lines.length > 2 * KEPT) lines.splice(0, KEPT)
  }
  return {
    broken: () => broken,
    find,
    hold: (holds, invariant, what) => {
      if (!holds) find(invariant, what())
    },
    tell: (line) => {
      steps += 1
      write(`${steps} ${line}`)
    },
    note: (line) => write(`    ${line}`),
    steps: () => steps,
    story: () => lines.slice(-KEPT),
    trace: () => trace >>> 0,
  }
}
