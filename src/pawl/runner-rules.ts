// Owns what the runners of this process say of definitions written as data: options that their actions have by default, and
// what can be refused when a definition is registered instead of when its action runs (X-15, S27).

import type { RequestOptions } from '../core/action.ts'
import type { MachineData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import { type Json, own } from '../core/json.ts'
import { inWords, type Misfit } from '../core/schema.ts'
import { secretPlaces } from '../core/template/secrets.ts'
import type { RecurrenceData } from '../core/triggers/recurrence-data.ts'
import { type Path, type Problem, problem } from '../definitions/problem.ts'
import { mergeOptions } from '../runners/action-options.ts'
import { costOf } from '../runners/perform.ts'
import type { AnyRunner, Done } from '../runners/runner.ts'
import { allowsSecret } from '../secrets/reference.ts'

export interface RunnerRules {
  /** Undefined: this process has no runner of that type. */
  readonly defaultsOf: (type: string) => RequestOptions | undefined
  /** All that the runners would refuse whatever the values. */
  readonly problemsOf: (definition: MachineData | RecurrenceData) => readonly Problem[]
  /** Throws over the first of them. */
  readonly assertFits: (definition: MachineData | RecurrenceData) => void
  /** What an action that succeeded cost, in the words of its runner; undefined: nobody here knows. */
  readonly costOf: (type: string, done: Done<Json, Json>) => number | undefined
}

interface Asked {
  readonly at: Path
  readonly type: string
  readonly config: Json
}

const listOf = <Item>(given: Item | readonly Item[] | undefined): readonly Item[] =>
  given === undefined ? [] : Array.isArray(given) ? (given as readonly Item[]) : [given as Item]

const askedIn = (definition: MachineData | RecurrenceData): readonly Asked[] => {
  if (definition.kind === 'machine') return askedInMachine(definition)
  const { type, config } = definition.action
  return [{ at: ['action', 'config'], type, config }]
}

const askedInMachine = ({ actions = [], states }: MachineData): readonly Asked[] => [
  ...actions.map(({ type, config }, index) => ({ at: ['actions', index, 'config'], type, config })),
  ...Object.entries(states).flatMap(([name, { enter }]) =>
    listOf(enter).map(({ type, config }, index) => ({
      at: ['states', name, 'enter', ...(Array.isArray(enter) ? [index] : []), 'config'],
      type,
      config,
    })),
  ),
]

/** S27: whoever would see it there is not meant to. */
const unmarked = ({ at, type, config }: Asked, marks: readonly string[] | undefined): readonly Problem[] =>
  (marks === undefined ? [] : secretPlaces(config))
    .filter((pointer) => !allowsSecret(marks!, pointer))
    .map((pointer) =>
      problem([...at, ...keysOf(pointer, '/')], `a secret stands at ${pointer} of a config of ${type}`, {
        code: 'secret_not_allowed_here',
        expected:
          marks!.length === 0 ? `no secret in a config of ${type}` : `a secret at ${marks!.join(', ')}`,
      }),
    )

const keysOf = (path: string, between: string): Path => path.split(between).filter((key) => key !== '')

const valueAt = (config: Json, path: string): Json | undefined =>
  path === ''
    ? config
    : path.split('.').reduce<Json | undefined>((value, key) => own(value, key) as Json | undefined, config)

/** What a placeholder will become is not known yet: a text, a number, an object. */
const isKnown =
  (config: Json) =>
  ({ path }: Misfit): boolean =>
    !JSON.stringify(valueAt(config, path) ?? null).includes('{{')

const misfits = ({ at, type, config }: Asked, runner: AnyRunner): readonly Problem[] =>
  runner
    .validateConfig(config)
    .errors.filter(isKnown(config))
    .map((misfit) =>
      problem(
        [...at, ...keysOf(misfit.path, '.')],
        `the config of ${type} does not fit: ${inWords([misfit])}`,
        {
          code: 'config_invalid',
          expected: `what the runner ${type} takes`,
        },
      ),
    )

export const rulesOf = (runners: readonly AnyRunner[]): RunnerRules => {
  const byType = new Map(runners.map((runner) => [runner.type, runner]))
  const problemsOf = (definition: MachineData | RecurrenceData): readonly Problem[] =>
    askedIn(definition).flatMap((asked) => {
      const runner = byType.get(asked.type)
      return runner === undefined
        ? []
        : [...unmarked(asked, runner.definition.secrets), ...misfits(asked, runner)]
    })
  return {
    defaultsOf: (type) => {
      const definition = byType.get(type)?.definition
      if (definition === undefined) return undefined
      const { delivery, defaults = {} } = definition
      return mergeOptions(delivery === undefined ? {} : { delivery }, defaults)
    },
    problemsOf,
    assertFits: (definition) => {
      const [first] = problemsOf(definition)
      if (first === undefined) return
      const { code, message, path, expected } = first
      throw new PawlError(code, message, { path, ...(expected !== undefined && { expected }) })
    },
    costOf: (type, done) => {
      const runner = byType.get(type)
      return runner && costOf(runner, done)
    },
  }
}
