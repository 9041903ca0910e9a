// Owns the verdict: what clients were told, what the store holds and what the receiver saw, held against each other. It
// shares no code with the engine but the form of the hash.
//   lost     accepted, or made by a step, and nowhere; an effect without its record, a success without its effect
//   doubled  applied twice, a second entry of a state, a second key or other bytes for one effect, at_most_once twice
//   stuck    not ended although everything had its time, or ended where nothing that happened leads
//   stale    a claim that was ended twice: the second by somebody who had it no longer

import { createHash } from 'node:crypto'
import { canonical, type JsonObject } from '../../src/core/json.ts'
import { MAX_REAPS } from '../../src/core/settle.ts'
import type { ActionFact, CallFact, Evidence, ExecutionFact, LineFact } from './evidence.ts'
import type { Op } from './part.ts'
import { DIRECT, EXECUTIONS, OCCURRENCES } from './workload.ts'

export interface Verdict {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly stuck: readonly string[]
  readonly stale: readonly string[]
  /** Calls beyond those that the receiver asked for: allowed, because they carry the same key. */
  readonly duplicatesSameKey: number
  readonly effects: number
  /** What ended in review, and what was given up because its processes were lost again and again. */
  readonly reviews: number
  readonly poisoned: number
  /** Leases that ran out, and executions that went on in another version. */
  readonly reaps: number
  readonly moved: number
  /** Ends of attempts whose claim was no longer theirs, kept as evidence. */
  readonly late: number
}

const grouped = <T>(all: readonly T[], key: (one: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(key(one)) ?? []
    group.push(one)
    groups.set(key(one), group)
  }
  return groups
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const eventOf = ({ data }: LineFact): string | undefined =>
  (data['event'] as JsonObject | undefined)?.['id'] as string | undefined

const TAKEN = new Set(['execution.transitioned', 'execution.updated', 'event.ignored'])
const isTaken = ({ type }: LineFact): boolean => TAKEN.has(type) || type.startsWith('recurrence.')
const TENANCY = ['default', 'default']

/** A chain with a line missing, changed or put twice. */
const brokenChain = (
  { id, chain_number: last, chain_hash: head }: ExecutionFact,
  lines: readonly LineFact[],
) => {
  let hash = sha256(canonical([...TENANCY, id]))
  for (const [index, line] of lines.entries()) {
    if (line.number !== index + 1) return `${id}: line ${line.number} in the place of ${index + 1}`
    if (line.prev_hash !== hash) return `${id}: line ${line.number} does not follow`
    hash = sha256(canonical([hash, line.number, line.type, line.at, line.data]))
    if (line.hash !== hash) return `${id}: line ${line.number} was changed`
  }
  return lines.length === last && hash === head
    ? undefined
    : `${id}: its history ends at ${lines.length}, it at ${last}`
}

const twice = (names: readonly (string | undefined)[]): readonly string[] =>
  [
    ...grouped(
      names.filter((name) => name !== undefined),
      (name) => name,
    ),
  ]
    .filter(([, all]) => all.length > 1)
    .map(([name]) => name)

const isPoisoned = ({ status, reaps }: ActionFact): boolean => status === 'dead' && reaps >= MAX_REAPS

/** An end that is excused needs the action that excuses it. */
const isExcused = (actions: readonly ActionFact[]): boolean =>
  actions.some((action) => action.status === 'review' || isPoisoned(action))

const judgeExecutions = (evidence: Evidence, found: Found): void => {
  const lines = grouped(
    evidence.lines.filter(({ number }) => number !== null),
    ({ execution }) => execution!,
  )
  const actions = grouped([...evidence.open, ...evidence.ended], ({ execution }) => execution ?? '')
  const cancelled = new Set(evidence.accepted.flatMap((op) => (op.verb === 'cancel' ? [op.execution] : [])))
  for (const execution of evidence.executions) {
    const { id, definition, status, state } = execution
    const own = lines.get(id) ?? []
    const broken = brokenChain(execution, own)
    if (broken !== undefined) found.doubled.push(broken)
    const steps = own.filter(({ type }) => type === 'execution.transitioned')
    for (const event of twice(own.filter(isTaken).map(eventOf)))
      found.doubled.push(`${id} took ${event} twice`)
    for (const entered of twice(steps.map(({ data }) => String(data['to']))))
      found.doubled.push(`${id} entered ${entered} twice`)
    if (status === 'cancelled' && cancelled.has(id)) continue
    const { ends, excused } = EXECUTIONS[definition]!
    const isRight = ends.includes(state!) || (excused.includes(state!) && isExcused(actions.get(id) ?? []))
    if (status !== 'completed' || !isRight || cancelled.has(id))
      found.stuck.push(`${id} is ${status} in ${state}`)
  }
}

const judgeAccepted = ({ accepted, executions, lines, inbox, open, ended }: Evidence, found: Found): void => {
  const there = new Set(executions.map(({ id }) => id))
  const actions = new Set([...open, ...ended].map(({ id }) => id))
  const steps = new Set([...open, ...ended].map(({ plan }) => plan.stepKey))
  const known = new Set(inbox.map((row) => `${row.execution} ${row.event_id}`))
  const taken = new Set(lines.map((line) => `${line.execution} ${eventOf(line)}`))
  const isThere = (op: Op): boolean => {
    if (op.verb === 'dispatch' || op.verb === 'cancel_action') return steps.has(op.action)
    if (op.verb !== 'send') return there.has(op.execution)
    const event = `${op.execution} ${op.event}`
    return known.has(event) && taken.has(event)
  }
  for (const op of accepted) if (!isThere(op)) found.lost.push(`accepted: ${JSON.stringify(op)}`)
  for (const { data, execution } of lines)
    for (const { id } of (data['actions'] ?? []) as readonly { readonly id: string }[])
      if (!actions.has(id)) found.lost.push(`${execution} made ${id}, which is nowhere`)
}

const judgeActions = ({ accepted, open, ended }: Evidence, found: Found): void => {
  for (const id of twice([...open, ...ended].map((action) => action.id)))
    found.doubled.push(`the action ${id} is there twice`)
  for (const step of twice([...open, ...ended].map(({ plan }) => plan.stepKey)))
    found.doubled.push(`the step ${step} has two actions`)
  for (const { id, status } of open)
    if (status === 'queued' || status === 'running') found.stuck.push(`the action ${id} is ${status}`)
  const byStep = new Map([...open, ...ended].map((action) => [action.plan.stepKey, action]))
  for (const op of accepted) {
    const action = op.verb === 'dispatch' ? byStep.get(op.action) : undefined
    if (op.verb !== 'dispatch' || action === undefined) continue
    const { ends, excused } = DIRECT[op.kind]
    const isRight = ends.includes(action.status) || (excused.includes(action.status) && isExcused([action]))
    if (!isRight) found.stuck.push(`the action ${action.id} is ${action.status}`)
  }
}

/** Which effect it is, by what it says: no code of ours has a part in it. */
const nameOf = ({ me, what }: { readonly me: string; readonly what: string }): string => `${me} ${what}`
const effectOf = ({ body }: CallFact): string => nameOf(JSON.parse(body))

/** One that is refused at first is to come again. */
const asksFor = ({ path }: CallFact): number => (path === '/flaky' ? 2 : 1)

const judgeEffects = ({ calls, open, ended }: Evidence, found: Found): void => {
  const actions = new Map([...open, ...ended].map((action) => [nameOf(action.plan.config.body), action]))
  for (const [effect, all] of grouped(calls, effectOf)) {
    const action = actions.get(effect)
    if (action === undefined || action.attempt === 0) found.lost.push(`the record of the effect ${effect}`)
    if (new Set(all.map(({ key }) => key)).size > 1) found.doubled.push(`${effect} has two keys`)
    if (action?.plan.delivery === 'at_most_once' && all.length > 1)
      found.doubled.push(`${effect} happened ${all.length} times, and may at most once`)
  }
  for (const [key, all] of grouped(calls, (call) => call.key)) {
    if (new Set(all.map(({ body, path }) => `${path} ${body}`)).size > 1)
      found.doubled.push(`the key ${key} came with other bytes`)
    found.duplicatesSameKey += Math.max(0, all.length - asksFor(all[0]!))
    found.effects += 1
  }
  const made = new Set(calls.map(effectOf))
  for (const [effect, { status }] of actions)
    if (status === 'succeeded' && !made.has(effect)) found.lost.push(`the effect ${effect}, which succeeded`)
}

const judgeWaiting = ({ inbox, timers }: Evidence, found: Found): void => {
  for (const { execution, event_id: event, isApplied } of inbox)
    if (!isApplied) found.stuck.push(`${execution} has not taken ${event}`)
  for (const { execution, key } of timers) found.stuck.push(`${execution} waits for ${key}`)
}

/** The counters are kept apart from the rows: a member applied in half would part them. */
const judgeCounters = ({ counters, executions, open, ended }: Evidence, found: Found): void => {
  const counted = new Map(counters.map(({ name, value }) => [name, Number(value)]))
  const isOpen = (status: string): boolean => status === 'queued' || status === 'running'
  const names = [
    ...executions.map(({ status }) => `executions.${status}`),
    ...[...open, ...ended].map(({ status }) => `actions.${isOpen(status) ? 'open' : status}`),
  ]
  const there = grouped(names, (name) => name)
  for (const name of new Set(
    [...counted.keys(), ...there.keys()].filter((each) => /^(actions|executions)\./.test(each)),
  )) {
    const [is, says] = [there.get(name)?.length ?? 0, counted.get(name) ?? 0]
    if (is < says) found.lost.push(`${name}: ${says} counted, ${is} there`)
    if (is > says) found.doubled.push(`${name}: ${says} counted, ${is} there`)
  }
}

/** Every claim is ended once: by its holder, or by its expiry. */
const judgeClaims = ({ endings }: Evidence, found: Found): void => {
  const ok = endings.filter(({ status }) => status === 'ok')
  for (const claim of twice(ok.map(({ action, token }) => `${action} ${token}`)))
    found.stale.push(`the claim ${claim} was ended twice`)
}

const SECOND = 1000

/** A recurrence that was outlasted: each second from its first has one row, one fate, one action, one line. */
const judgeOccurrences = ({ accepted, occurrences, lines, open, ended }: Evidence, found: Found): void => {
  const rows = grouped(occurrences, ({ recurrence }) => recurrence)
  const told = grouped(lines, ({ execution }) => execution ?? '')
  const steps = new Map([...open, ...ended].map(({ id, plan }) => [id, plan.stepKey]))
  for (const { execution } of accepted.filter((op) => op.verb === 'outlast')) {
    const own = (rows.get(execution) ?? []).toSorted((a, b) => a.at - b.at)
    for (const [index, { at, fate, action }] of own.entries()) {
      const wanted = own[0]!.at + index * SECOND
      const step = `${execution}/${new Date(at).toISOString()}`
      if (at !== wanted) found.lost.push(`${execution}: ${at} is told, and ${wanted} before it is not`)
      // Those that came after it had ended are told as such.
      const isFired = fate === 'fired' && steps.get(action ?? '') === step
      if (index < OCCURRENCES && !isFired) found.lost.push(`the action of ${step}`)
      if (index >= OCCURRENCES && fate === 'fired') found.doubled.push(`${step} fired after the end`)
    }
    if (own.length < OCCURRENCES) found.lost.push(`${execution}: ${own.length} occurrences`)
    const instants = (told.get(execution) ?? []).flatMap(
      ({ data }) => (data['occurrences'] ?? []) as readonly { readonly at: number }[],
    )
    for (const at of twice(instants.map((one) => String(one.at))))
      found.doubled.push(`${execution} tells of ${at} twice`)
    if (instants.length < own.length)
      found.lost.push(`${execution} tells of ${instants.length} of ${own.length}`)
  }
}

interface Found {
  readonly lost: string[]
  readonly doubled: string[]
  readonly stuck: string[]
  readonly stale: string[]
  duplicatesSameKey: number
  effects: number
}

export const judge = (evidence: Evidence): Verdict => {
  const found: Found = { lost: [], doubled: [], stuck: [], stale: [], duplicatesSameKey: 0, effects: 0 }
  judgeAccepted(evidence, found)
  judgeExecutions(evidence, found)
  judgeActions(evidence, found)
  judgeEffects(evidence, found)
  judgeOccurrences(evidence, found)
  judgeWaiting(evidence, found)
  judgeCounters(evidence, found)
  judgeClaims(evidence, found)
  const actions = [...evidence.open, ...evidence.ended]
  return {
    ...found,
    reviews: actions.filter(({ status }) => status === 'review').length,
    poisoned: actions.filter(isPoisoned).length,
    reaps: actions.reduce((sum, { reaps }) => sum + reaps, 0),
    moved: evidence.lines.filter(({ type }) => type === 'execution.moved').length,
    late: evidence.lines.filter(({ type }) => type === 'action.late').length,
  }
}
