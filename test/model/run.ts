// Owns the command: node test/model/run.ts [--release] [--json]
// Every state of the real protocol, then the shortest way in which each weaker one breaks, a line each; with --json the
// whole summary in one line. Exits with 1 when the real protocol is broken, or a weaker one is not where it must be.

import { parseArgs } from 'node:util'
import { INVARIANTS, type InvariantId } from './invariants.ts'
import type { Size } from './suite.ts'
import { SUITES } from './suites.ts'

interface Checked {
  readonly model: string
  readonly name: string
  readonly states: number
  readonly steps: number
  readonly stuck: number
  /** What was violated, and how it came about. */
  readonly invariant?: string
  readonly story?: string
}

interface Variant {
  readonly model: string
  readonly name: string
  /** The invariant that must break, and the one that did. */
  readonly breaks: InvariantId
  readonly invariant: string | null
  /** How many steps the shortest story has. */
  readonly steps: number
  readonly story: string
}

export interface ModelSummary {
  readonly isHeld: boolean
  readonly states: number
  readonly steps: number
  readonly violations: number
  readonly stuck: number
  readonly scenarios: readonly Checked[]
  readonly variants: readonly Variant[]
}

const storyOf = (steps: readonly string[]): string => steps.join(' · ')

const checkReal = (size: Size, onChecked: (checked: Checked) => void): readonly Checked[] =>
  SUITES.flatMap(({ name: model, real, spare }) =>
    [...real, ...spare].map(({ name, check }) => {
      const { states, steps, stuck, broken } = check(size)
      const found = broken && { invariant: broken.invariant, story: storyOf(broken.story) }
      const checked = { model, name, states, steps, stuck, ...found }
      onChecked(checked)
      return checked
    }),
  )

const checkWeaker = (): readonly Variant[] =>
  SUITES.flatMap(({ name: model, weaker }) =>
    weaker.map(({ name, breaks, check }) => {
      const { invariant, story } = check().broken ?? { invariant: null, story: [] }
      return { model, name, breaks, invariant, steps: story.length, story: storyOf(story) }
    }),
  )

const isBroken = ({ breaks, invariant }: Variant): boolean => invariant === breaks

const sum = (all: readonly Checked[], of: (checked: Checked) => number): number =>
  all.reduce((total, checked) => total + of(checked), 0)

export const modelCheck = async (
  size: Size = 'commit',
  onChecked: (checked: Checked) => void = () => {},
): Promise<ModelSummary> => {
  const scenarios = checkReal(size, onChecked)
  const variants = checkWeaker()
  const violations = scenarios.filter(({ invariant, stuck }) => invariant !== undefined && stuck === 0).length
  const stuck = sum(scenarios, (checked) => checked.stuck)
  return {
    isHeld: violations === 0 && stuck === 0 && variants.every(isBroken),
    states: sum(scenarios, ({ states }) => states),
    steps: sum(scenarios, ({ steps }) => steps),
    violations,
    stuck,
    scenarios,
    variants,
  }
}

const figure = (count: number): string => count.toLocaleString('en')

const lineOf = ({ model, name, states, steps, stuck, invariant, story }: Checked): string => {
  const found = invariant === undefined ? 'holds' : `BREAKS ${invariant}: ${story}`
  return `${model}, ${name}: ${figure(states)} states, ${figure(steps)} steps, ${stuck} stuck: ${found}`
}

const variantLine = (variant: Variant): string => {
  const { name, breaks, steps, story } = variant
  return isBroken(variant)
    ? `${name}: breaks ${breaks} in ${steps}: ${story}`
    : `${name}: DOES NOT BREAK ${breaks}`
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, release: { type: 'boolean', default: false } },
  })
  const say = (line: string): void => {
    if (!values.json) process.stdout.write(`${line}\n`)
  }
  const summary = await modelCheck(values.release ? 'release' : 'commit', (checked) => say(lineOf(checked)))
  const { states, steps, violations, stuck, variants, isHeld } = summary
  say('')
  for (const variant of variants) say(variantLine(variant))
  say('')
  for (const [id, holds] of Object.entries(INVARIANTS)) say(`${id}: ${holds}`)
  const broken = variants.filter(isBroken).length
  say('')
  say(
    `${figure(states)} states, ${figure(steps)} steps: ${violations} violations, ${stuck} stuck; ` +
      `${broken} of ${variants.length} weaker variants broken`,
  )
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`)
  process.exitCode = isHeld ? 0 : 1
}
