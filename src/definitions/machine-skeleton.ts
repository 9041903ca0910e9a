// Owns the part of a machine written in code that is data: its skeleton. It is checked like a definition from a file,
// it is what core compiles, and its hash is the version (functions cannot be compared; `version` speaks for them).

import { definitionHash, type MachineData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { plain } from '../core/plain.ts'
import { checkMachine } from './check-machine.ts'
import { codeProblems } from './check-machine-code.ts'
import { formatProblem } from './format-problem.ts'
import { fitShape } from './issues.ts'
import { type LooseMachine, unexplained, withoutRefused } from './loose.ts'
import { type Problem, problem } from './problem.ts'
import { machineFile } from './shape/machine.ts'

type Loose = Readonly<Record<string, unknown>>

/** The skeleton, or one error that says everything that is wrong with the machine. */
export const readSkeleton = (written: unknown): MachineData => {
  const definition: Loose = isObject(written) ? written : {}
  const inCode = [...codeProblems(definition)]
  const json = plain(withoutCode(definition))
  if (!json.fits) {
    const odd = json.misfits.map(({ path, message }) => problem(path.split('.'), message))
    throw refused(definition, [...inCode, ...unexplained(odd, inCode)])
  }
  const fitted = fitShape(machineFile(), json.value)
  const earlier = [...inCode, ...unexplained(fitted.problems, inCode)]
  const machine = withoutRefused(json.value, fitted.problems) as LooseMachine
  const later = checkMachine(machine, { isOpen: true }).filter(({ severity }) => severity === 'error')
  const problems = [...earlier, ...unexplained(later, earlier)]
  if (fitted.value === undefined || problems.length > 0) throw refused(definition, problems)
  return fitted.value
}

/**
 * A machine without its functions, schemas, runners and prose. Wrong parts stay, for the shape to refuse. Where a
 * function was, something harmless stands: a transition with a guard is not one without, also in the hash.
 */
const withoutCode = ({ description, variables, events, uses, version, ...rest }: Loose): Loose => ({
  ...rest,
  kind: 'machine',
  states: eachOf(rest['states'], (state) => {
    if (!isObject(state)) return state
    const { description: prose, enter, on, after, ...kept }: Loose = state
    return { ...kept, on: eachOf(on, transitions), after: eachOf(after, transitions) }
  }),
})

const transitions = (written: unknown): unknown =>
  Array.isArray(written) ? written.map(transition) : transition(written)

const transition = (written: unknown): unknown => {
  if (!isObject(written)) return written
  const { when, set, condition, ...kept }: Loose = written
  return {
    ...kept,
    condition: condition ?? (when === undefined ? undefined : true),
    set: set === undefined ? undefined : {},
  }
}

const eachOf = (value: unknown, change: (member: unknown) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]))
    : value

const refused = ({ id }: Loose, problems: readonly Problem[]): PawlError =>
  new PawlError(
    'invalid_definition',
    [`the machine ${String(id)} cannot be used`, ...problems.map(formatProblem)].join('\n'),
    { path: problems[0]!.path, problems },
  )

interface Names {
  readonly events: readonly string[]
  readonly uses: readonly string[]
  readonly version?: string | undefined
}

/** What is not in here may change without moving a running execution: the functions, unless `version` says so. */
export const skeletonHash = (skeleton: MachineData, { events, uses, version }: Names): string =>
  definitionHash({ skeleton, events: [...events].sort(), uses: [...uses].sort(), version })
