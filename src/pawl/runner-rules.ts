// Owns what the runners of this process say of definitions written as data: options that their actions have by default, and
// what can be refused when a definition is registered instead of when its action runs (X-15, S27).

import type { RequestOptions } from '../core/action.ts'
import type { MachineData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import { type Json, own } from '../core/json.ts'
import { inWords, type Misfit } from '../core/schema.ts'
import { secretPlaces } from '../core/template/secrets.ts'
import type { RecurrenceData } from '../core/triggers/recurrence-data.ts'
import { mergeOptions } from '../runners/action-options.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { allowsSecret } from '../secrets/reference.ts'

export interface RunnerRules {
  /** Undefined: this process has no runner of that type. */
  readonly defaultsOf: (type: string) => RequestOptions | undefined
  /** Throws over the first action that its runner would refuse whatever the values. */
  readonly assertFits: (definition: MachineData | RecurrenceData) => void
}

interface Asked {
  readonly path: string
  readonly type: string
  readonly config: Json
}

const listOf = <Item>(given: Item | readonly Item[] | undefined): readonly Item[] =>
  given === undefined ? [] : Array.isArray(given) ? (given as readonly Item[]) : [given as Item]

const askedIn = (definition: MachineData | RecurrenceData): readonly Asked[] => {
  if (definition.kind === 'machine') return askedInMachine(definition)
  const { type, config } = definition.action
  return [{ path: 'action.config', type, config }]
}

const askedInMachine = ({ actions = [], states }: MachineData): readonly Asked[] => [
  ...actions.map(({ type, config }, index) => ({ path: `actions.${index}.config`, type, config })),
  ...Object.entries(states).flatMap(([name, { enter }]) =>
    listOf(enter).map(({ type, config }, index) => ({
      path: `states.${name}.enter.${index}.config`,
      type,
      config,
    })),
  ),
]

/** S27: whoever would see it there is not meant to. */
const assertMarked = ({ path, type, config }: Asked, marks: readonly string[] | undefined): void => {
  const stray = marks && secretPlaces(config).find((pointer) => !allowsSecret(marks, pointer))
  if (stray === undefined || marks === undefined) return
  throw new PawlError('secret_not_allowed_here', `a secret stands at ${stray} of a config of ${type}`, {
    path: `${path}${stray.replaceAll('/', '.')}`,
    expected: marks.length === 0 ? `no secret in a config of ${type}` : `a secret at ${marks.join(', ')}`,
  })
}

const valueAt = (config: Json, path: string): Json | undefined =>
  path === ''
    ? config
    : path.split('.').reduce<Json | undefined>((value, key) => own(value, key) as Json | undefined, config)

/** What a placeholder will become is not known yet: a text, a number, an object. */
const isKnown =
  (config: Json) =>
  ({ path }: Misfit): boolean =>
    !JSON.stringify(valueAt(config, path) ?? null).includes('{{')

const assertConfig = ({ path, type, config }: Asked, runner: AnyRunner): void => {
  const misfits = runner.validateConfig(config).errors.filter(isKnown(config))
  if (misfits.length === 0) return
  throw new PawlError('config_invalid', `the config of ${type} does not fit: ${inWords(misfits)}`, {
    path: [path, misfits[0]!.path].filter(Boolean).join('.'),
    expected: `what the runner ${type} takes`,
  })
}

export const rulesOf = (runners: readonly AnyRunner[]): RunnerRules => {
  const byType = new Map(runners.map((runner) => [runner.type, runner]))
  return {
    defaultsOf: (type) => {
      const definition = byType.get(type)?.definition
      if (definition === undefined) return undefined
      const { delivery, defaults = {} } = definition
      return mergeOptions(delivery === undefined ? {} : { delivery }, defaults)
    },
    assertFits: (definition) => {
      for (const asked of askedIn(definition)) {
        const runner = byType.get(asked.type)
        if (runner === undefined) continue
        assertMarked(asked, runner.definition.secrets)
        assertConfig(asked, runner)
      }
    },
  }
}
