// Owns which rows a batch must see before it can be decided: every key its members name, each once, in one order for
// all. The order is what keeps two batches from waiting for each other (unordered ones deadlocked in 17 % of tries).

import type { Advance, Control, Member, NewAction, Tenancy } from '../store.ts'
import { timerKey } from './check.ts'
import { keyOf } from './draft.ts'

/** The parts of a key, as its statement takes them. */
type Key = readonly string[]

export interface Needs {
  /** To lock and read. */
  readonly actions: readonly string[]
  /** New ids that may exist already, with their tenant. */
  readonly newActions: readonly Key[]
  readonly executions: readonly Key[]
  /** Executions some of whose steps are cancelled. */
  readonly left: readonly Key[]
  /** Executions that are paused or resumed by themselves. */
  readonly turned: readonly Key[]
  readonly inbox: readonly Key[]
  readonly timers: readonly Key[]
  readonly dedup: readonly Key[]
  /** Those of them whose holder may take something in. */
  readonly gathers: readonly Key[]
  readonly definitions: readonly Key[]
  readonly pauses: readonly Key[]
  readonly bulks: readonly Key[]
  /** Items of bulk operations that are heard of. */
  readonly heard: readonly Key[]
  readonly alerts: readonly Key[]
  /** Some are inserted as claimed: what closes lanes must be known. */
  readonly isEager: boolean
  /** Definitions whose pause must not change meanwhile; true: or is changed here. */
  readonly turns: ReadonlyMap<string, boolean>
}

const distinct = (keys: readonly Key[]): readonly Key[] => {
  const byText = new Map(keys.map((key) => [keyOf(...key), key]))
  return [...byText.keys()].sort().map((text) => byText.get(text)!)
}

const collect = (batch: readonly Member[], of: (member: Member) => readonly Key[]): readonly Key[] =>
  distinct(batch.flatMap(of))

const own = ({ namespace, tenant }: Tenancy, ...rest: Key): Key => [namespace, tenant, ...rest]

const controlledIds = (control: Control): readonly string[] => {
  if (control.kind === 'hold') return [control.claim.id]
  return 'id' in control ? [control.id] : []
}

const actionIds = ({ settle = [], control }: Member): readonly Key[] => {
  const settled = settle.map(({ claim }) => [claim.id])
  return control === undefined ? settled : [...settled, ...control.flatMap(controlledIds).map((id) => [id])]
}

const turnedBy = (member: Member, scope: string): readonly string[] =>
  (member.control ?? []).flatMap((one) =>
    (one.kind === 'pause' || one.kind === 'resume') && one.scope === scope ? [one.value] : [],
  )

const executionsOf = (member: Member): readonly Key[] =>
  [
    ...(member.advance === undefined ? [] : [member.advance.execution.id]),
    ...(member.deliver ?? []).map(({ execution }) => execution),
    ...turnedBy(member, 'execution'),
  ].map((id) => own(member, id))

const consumedBy = (member: Member, fits: (from: Advance['consume'][number]['from']) => boolean) =>
  (member.advance?.consume ?? []).filter(({ from }) => fits(from)).map(({ event }) => event)

const inboxOf = (member: Member): readonly Key[] => [
  ...consumedBy(member, (from) => from === 'outside' || from === 'inbox').map((event) =>
    own(member, member.advance!.execution.id, event.id),
  ),
  ...(member.deliver ?? []).map(({ execution, event }) => own(member, execution, event.id)),
]

const timersOf = (member: Member): readonly Key[] =>
  consumedBy(member, (from) => from === 'timer').map((event) =>
    own(member, member.advance!.execution.id, timerKey(event)),
  )

export const newActionsOf = ({ advance, enqueue = [] }: Member): readonly NewAction[] =>
  advance === undefined ? enqueue : [...advance.actions, ...enqueue]

/** Those of whom somebody may know the id. */
const givenIds = ({ enqueue = [] }: Member): readonly NewAction[] =>
  enqueue.filter(({ isDrawn }) => isDrawn !== true)

const dedupOf = (member: Member): readonly Key[] =>
  newActionsOf(member).flatMap(({ plan, asked }) => {
    if (plan.dedup === undefined || plan.status !== 'queued') return []
    const key = own(member, plan.dedup.key)
    return asked === undefined ? [key] : [key, own(member, asked.key)]
  })

const gathersOf = (member: Member): readonly Key[] =>
  newActionsOf(member).flatMap(({ plan }) =>
    plan.dedup === undefined || plan.gather === undefined || plan.status !== 'queued'
      ? []
      : [own(member, plan.dedup.key)],
  )

const definitionsOf = (member: Member): readonly Key[] =>
  (member.control ?? []).flatMap((one) =>
    one.kind === 'define' ? [own(member, one.definition.kind, one.definition.id)] : [],
  )

const bulksOf = (member: Member): readonly Key[] =>
  (member.control ?? []).flatMap((one) => (one.kind === 'bulk' ? [own(member, one.bulkId)] : []))

const heardBy = (member: Member): readonly Key[] =>
  (member.control ?? []).flatMap((one) =>
    one.kind === 'bulk' ? one.heard.map(({ action }) => own(member, one.bulkId, action)) : [],
  )

const alertsOf = (member: Member): readonly Key[] =>
  (member.control ?? []).flatMap((one) => {
    if (one.kind === 'alert_raise') return [own(member, one.alert.id)]
    return 'alertId' in one ? [own(member, one.alertId)] : []
  })

/** Only an execution that begins asks whether its definition is paused. */
const started = (member: Member): readonly string[] =>
  member.advance?.expected === 0 ? [member.advance.execution.definition] : []

const pausesOf = (member: Member): readonly Key[] => [
  ...started(member).map((definition) => own(member, 'definition', definition)),
  ...(member.control ?? []).flatMap((one) =>
    one.kind === 'pause' || one.kind === 'resume' ? [own(member, one.scope, one.value)] : [],
  ),
]

/** Whether some are inserted as claimed. */
export const isEager = (batch: readonly Member[]): boolean =>
  batch.some((member) => newActionsOf(member).some(({ claim }) => claim !== undefined))

export type Starts = Pick<Needs, 'turns' | 'pauses'>

const NO_STARTS: Starts = { turns: new Map(), pauses: [] }

/** What executions that begin ask of their definitions. */
export const startsOf = (batch: readonly Member[]): Starts => {
  const starting = batch.filter(({ advance }) => advance?.expected === 0)
  return starting.length === 0 ? NO_STARTS : { turns: turnsOf(starting), pauses: collect(starting, pausesOf) }
}

const turnsOf = (batch: readonly Member[]): ReadonlyMap<string, boolean> => {
  const shared = batch.flatMap((member) => started(member).map((id) => keyOf(...own(member, id))))
  const alone = batch.flatMap((member) =>
    turnedBy(member, 'definition').map((id) => keyOf(...own(member, id))),
  )
  const turns = new Map([
    ...shared.map((key) => [key, false] as const),
    ...alone.map((key) => [key, true] as const),
  ])
  return new Map([...turns].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A definition's pause touches rows that no member names: it is decided alone, between those before and after. */
const isWide = (member: Member): boolean => turnedBy(member, 'definition').length > 0

export const segmentsOf = (batch: readonly Member[]): readonly (readonly Member[])[] => {
  const segments: Member[][] = []
  batch.forEach((member, index) => {
    const before = batch[index - 1]
    if (before === undefined || isWide(member) || isWide(before)) segments.push([member])
    else segments.at(-1)!.push(member)
  })
  return segments
}

/**
 * `isThorough`: an id drawn by the engine is taken for new, unless a first try found that one was not. Most members have one
 * part, and are asked for that alone: each question of each member was a tenth of a settlement.
 */
export const needsOf = (
  batch: readonly Member[],
  isThorough: boolean,
  isAssumed: (action: string) => boolean,
): Needs => {
  const asking = batch.filter(({ control }) => control !== undefined)
  const making = batch.filter(({ advance, enqueue }) => advance !== undefined || enqueue !== undefined)
  const moving = batch.filter(({ advance, deliver }) => advance !== undefined || deliver !== undefined)
  return {
    actions: collect(batch, (member) => actionIds(member).filter(([id]) => !isAssumed(id!))).map(
      ([id]) => id!,
    ),
    newActions: collect(making, (member) =>
      (isThorough ? newActionsOf(member) : givenIds(member)).map(({ id }) => own(member, id)),
    ),
    executions: collect([...moving, ...asking], executionsOf),
    left: collect(moving, (member) =>
      (member.advance?.cancel.actions.length ?? 0) > 0 ? [own(member, member.advance!.execution.id)] : [],
    ),
    turned: collect(asking, (member) => turnedBy(member, 'execution').map((id) => own(member, id))),
    inbox: collect(moving, inboxOf),
    timers: collect(moving, timersOf),
    dedup: collect(making, dedupOf),
    gathers: collect(making, gathersOf),
    definitions: collect(asking, definitionsOf),
    pauses: collect([...moving, ...asking], pausesOf),
    bulks: collect(asking, bulksOf),
    heard: collect(asking, heardBy),
    alerts: collect(asking, alertsOf),
    isEager: isEager(making),
    turns: turnsOf([...moving, ...asking]),
  }
}
