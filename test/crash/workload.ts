// Owns what is done while processes die: scripts of clients, each a list of operations in order, and what each of them may
// come to. Which operation was answered is remembered, and what was not is asked again of another process.

import { RECURRENCE_ID } from '../../src/core/triggers/recurrence-data.ts'
import type { DirectKind, Op } from './part.ts'

export interface Script {
  readonly ops: readonly Op[]
  /** How many of them were answered. */
  readonly done: () => number
  readonly advance: () => void
}

/** What an execution, or an action of its own, may come to; `excused` only when a process was lost over it too often. */
export interface Expected {
  readonly ends: readonly string[]
  readonly excused: readonly string[]
}

/** The definition says how an execution ends; one that is cancelled has no end of its own. */
export const EXECUTIONS: Readonly<Record<string, Expected>> = {
  order: { ends: ['done'], excused: ['stuck'] },
  notice: { ends: ['done'], excused: ['stuck'] },
  alarm: { ends: ['done'], excused: ['unknown'] },
  doomed: { ends: ['refused'], excused: [] },
  parting: { ends: ['done'], excused: ['stuck'] },
  [RECURRENCE_ID]: { ends: [], excused: [] },
}

export const DIRECT: Readonly<Record<DirectKind, Expected>> = {
  plain: { ends: ['succeeded'], excused: ['dead'] },
  text: { ends: ['succeeded'], excused: ['review'] },
  refused: { ends: ['dead'], excused: [] },
  late: { ends: ['cancelled'], excused: [] },
}

const scriptOf = (ops: readonly Op[]): Script => {
  let done = 0
  return {
    ops,
    done: () => done,
    advance: () => {
      done += 1
    },
  }
}

const start = (definition: string, execution: string): Op => ({
  verb: 'start',
  definition,
  execution,
  variables: { me: execution },
})
const send = (execution: string, type: string): Op => ({
  verb: 'send',
  execution,
  type,
  event: `${execution} ${type}`,
})
const direct = (name: string, kind: DirectKind): Op => ({ verb: 'dispatch', action: `${name}-${kind}`, kind })

const walk = (definition: string, execution: string, ...events: readonly string[]): readonly Op[] => [
  start(definition, execution),
  ...events.map((type) => send(execution, type)),
]

/** Fires so often, each second once. */
export const OCCURRENCES = 2

/** A recurrence from its beginning to its end; apart, because seconds pass over it. */
export const firingScriptsOf = (name: string): readonly Script[] => {
  const execution = `${name}-recur`
  return [
    scriptOf([
      { verb: 'recur', execution },
      { verb: 'outlast', execution },
      { verb: 'cancel', execution },
    ]),
  ]
}

/** Of the workload, what walks to its end by events, results and timers. */
export const walksOf = (name: string): readonly Script[] =>
  [
    walk('order', `${name}-order`, 'paid'),
    walk('notice', `${name}-notice`, 'given'),
    walk('alarm', `${name}-alarm`, 'raised'),
    walk('doomed', `${name}-doomed`, 'asked'),
  ].map(scriptOf)

/** And what is left, cancelled, or belongs to no execution. */
export const partingsOf = (name: string): readonly Script[] =>
  [
    walk('parting', `${name}-parting`, 'booked', 'left'),
    [...walk('parting', `${name}-gone`, 'booked'), { verb: 'cancel', execution: `${name}-gone` } as const],
    [direct(name, 'plain')],
    [direct(name, 'text')],
    [direct(name, 'refused')],
    [direct(name, 'late'), { verb: 'cancel_action', action: `${name}-late` } as const],
  ].map(scriptOf)

/** The whole workload once, its names beginning with the one given. */
export const scriptsOf = (name: string): readonly Script[] => [...walksOf(name), ...partingsOf(name)]
