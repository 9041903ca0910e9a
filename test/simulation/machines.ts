// Owns the definitions of a simulated world: random machines, as data and as code. Results and timers only ever lead
// forward, so that a world that is left alone comes to rest; events from outside lead anywhere.

import type { JsonObject } from '../../src/core/json.ts'
import type { Machine, State, Transition } from '../../src/core/triggers/machine.ts'
import { loadDefinition } from '../../src/definitions/parse.ts'
import type { Known } from '../../src/engine/directory.ts'
import { type DecidingDefinition, knownOf } from '../../src/pawl/known.ts'
import { type Seeded, seeded } from './seeded.ts'

export const EVENTS = ['go', 'back', 'skip'] as const
export const TYPES = ['mail', 'sms', 'sign'] as const
export const PRIORITIES = [10, 90] as const
const DELIVERIES = { mail: 'at_least_once', sms: 'at_most_once', sign: 'reconcile' } as const

/** Events of the runners' own, so that `on` can name them. */
export const RESULT_EVENTS = { mail: 'mailed', sms: 'texted', sign: 'signed' } as const

const policyOf = (chance: Seeded): JsonObject => ({
  maxAttempts: chance.between(1, 3),
  backoffStrategy: 'exponential',
  baseDelay: chance.pick([100, 500]),
  multiplier: 2,
  maxDelay: 2000,
})

export const optionsOf = (chance: Seeded, type: (typeof TYPES)[number]) => ({
  delivery: DELIVERIES[type],
  priority: chance.pick(PRIORITIES),
  retryPolicy: policyOf(chance),
  timeout: chance.pick([1000, 6000]),
  ...(chance.chance(0.3) && { delay: chance.pick([500, 1500]) }),
  ...(chance.chance(0.1) && { expiresAfter: 20_000 }),
})

const requestOf = (chance: Seeded, name: string): JsonObject => {
  const type = chance.pick(TYPES)
  return {
    type,
    name,
    config: { tenant: '{{execution.variables.tenant}}', name },
    ...optionsOf(chance, type),
    ...(chance.chance(0.4) && { cancelOnExit: true }),
  }
}

const COUNT = 5
const nameOf = (index: number): string => `s${index}`

/** One machine as data: five states, the last one final. */
const drawMachine = (chance: Seeded, id: string): JsonObject => {
  const forward = (from: number): string => nameOf(chance.between(from + 1, COUNT - 1))
  const stateOf = (index: number): JsonObject => {
    const on: Record<string, string> = {}
    for (const event of EVENTS) if (chance.chance(0.7)) on[event] = nameOf(chance.below(COUNT))
    for (const event of Object.values(RESULT_EVENTS)) if (chance.chance(0.4)) on[event] = forward(index)
    if (chance.chance(0.5)) on['action.failed'] = forward(index)
    const enter = Array.from({ length: chance.below(3) }, (_, number) => requestOf(chance, `a${number}`))
    const after = chance.chance(0.5) ? { [chance.pick(['500ms', '2s'])]: forward(index) } : {}
    return { on, enter, after }
  }
  const states = Array.from({ length: COUNT - 1 }, (_, index) => [nameOf(index), stateOf(index)] as const)
  return {
    kind: 'machine',
    id,
    initial: nameOf(0),
    versions: chance.pick(['follow', 'pin']),
    states: { ...Object.fromEntries(states), [nameOf(COUNT - 1)]: { final: true } },
  }
}

const parse = (data: JsonObject) => {
  const { definitions, problems } = loadDefinition(data)
  const [parsed] = definitions
  if (parsed?.kind !== 'machine')
    throw new Error(`a machine that cannot be parsed: ${JSON.stringify(problems)}`)
  return parsed
}

/** Code that can be broken: every transition asks first. */
const breakable = (machine: Machine, isBroken: () => boolean): DecidingDefinition => {
  const guarded = (transition: Transition): Transition => ({
    ...transition,
    guard: (view) => {
      if (isBroken()) throw new TypeError('the code of this machine is broken')
      return transition.guard?.(view) ?? true
    },
  })
  const withGuards = (state: State): State => ({
    ...state,
    on: new Map(Array.from(state.on, ([event, list]) => [event, list.map(guarded)])),
  })
  const states = new Map(Array.from(machine.states, ([name, state]) => [name, withGuards(state)]))
  return { ...machine, id: 'code', states, payloads: new Map() }
}

/** Two definitions, each in an older and a newer version. */
export interface Machines {
  readonly data: readonly [Known, Known]
  readonly code: readonly [Known, Known]
}

/** Parsing costs more than running: worlds share so many sets of machines. */
const POOL = 32
const pool = new Map<number, ReturnType<typeof drawSet>>()

const drawSet = (number: number) => {
  const chance = seeded(-1 - number)
  const data = drawMachine(chance, 'data')
  const code = parse(drawMachine(chance, 'code'))
  return {
    data: [knownOf(parse(data)), knownOf(parse({ ...data, description: 'newer' }))] as const,
    code: code.machine,
  }
}

export const machinesOf = (seed: number, isBroken: () => boolean): Machines => {
  const number = seed % POOL
  const set = pool.get(number) ?? drawSet(number)
  pool.set(number, set)
  const coded = (hash: string): Known => knownOf(breakable({ ...set.code, hash, follow: 'follow' }, isBroken))
  return { data: set.data, code: [coded('code-1'), coded('code-2')] }
}
