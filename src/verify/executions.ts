// Owns going through the executions: each with everything that belongs to it, as many at a time as their histories allow.

import type { ExecutionFile, Horizons, Inspector, ToldRow } from '../store/inspect.ts'
import type { ExecutionRef } from '../store/store.ts'
import { checkChain, type Held, holdOlder } from './check-chain.ts'
import { checkEvents } from './check-events.ts'
import { misfit } from './check-fit.ts'
import { checkTold, type ToldOf } from './check-occurrences.ts'
import { checkSteps } from './check-steps.ts'
import { checkWaiting } from './check-waiting.ts'
import { type Finding, judged, whereOf } from './finding.ts'
import { createPart, type Part } from './part.ts'
import { toldBy } from './told.ts'

/** An execution and what is known beside its file. */
interface Examined {
  readonly file: ExecutionFile
  readonly older: Held | undefined
  readonly horizons: Horizons
  /** Of a recurrence: the rows of its occurrences. */
  readonly occurrences: ToldOf | undefined
}

export interface ExecutionLimits {
  /** Lines, actions and events of one execution that are looked at together. */
  readonly lines: number
  readonly remembersMs: number
}

/** Lines in memory at a time. */
const BUDGET = 5000

const refOf = ({ namespace, tenant, id }: ExecutionRef): ExecutionRef => ({ namespace, tenant, id })

const check = (
  { file, older, horizons, occurrences }: Examined,
  limits: ExecutionLimits,
): readonly Finding[] => {
  const told = toldBy(file)
  return [
    ...judged(misfit(file, whereOf(file))),
    ...checkChain(file, older, horizons.events),
    ...checkEvents(file, told, limits.remembersMs),
    ...checkSteps(file, told, horizons.done),
    ...checkWaiting(file, told),
    ...(occurrences ? checkTold(file, occurrences, told) : []),
  ]
}

export const executionsPart = (
  inspector: Inspector,
  limits: ExecutionLimits,
  onFile: (file: ExecutionFile) => void,
): Part => {
  /** Read after the file: what it tells by then has its rows. */
  const rowsOf = async (file: ExecutionFile): Promise<readonly ToldRow[] | undefined> =>
    file.kind === 'recurrence' ? inspector.told(refOf(file), limits.lines) : undefined
  /** The horizons come after the files: what retention takes meanwhile is excused, not told. */
  const examine = async (refs: readonly ExecutionRef[]): Promise<readonly Examined[]> => {
    const files = await inspector.files(refs, limits.lines)
    const rows = await Promise.all(files.map(rowsOf))
    const horizons = await inspector.horizons()
    const examined: Examined[] = []
    for (const [index, file] of files.entries()) {
      const older = file.isCut ? await holdOlder(inspector, file) : undefined
      const told = rows[index]
      const isWhole = told !== undefined && told.length < limits.lines
      const occurrences = told && { rows: told, isWhole, horizon: horizons.occurrences }
      examined.push({ file, older, horizons, occurrences })
    }
    return examined
  }
  return createPart<Examined>({
    name: 'executions',
    read: async (after, limit) => {
      const heads = await inspector.heads(after, limit)
      let lines = 0
      const fits = heads.filter((head, index) => {
        lines += Math.min(head.lines, limits.lines)
        return index === 0 || lines <= BUDGET
      })
      const last = fits.at(-1)
      const isEnd = last === undefined || (fits.length === heads.length && heads.length < limit)
      const rows = await examine(fits.map(refOf))
      return isEnd ? { rows } : { rows, next: [last.namespace, last.tenant, last.id] }
    },
    again: async ({ file }) => (await examine([refOf(file)]))[0],
    at: ({ file: { namespace, tenant, id } }) => [namespace, tenant, id],
    check: (examined) => check(examined, limits),
    onRow: ({ file }) => onFile(file),
  })
}
