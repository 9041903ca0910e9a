// Owns the answer to "what is it waiting for?": every reason that holds for an action or an execution, in words, with
// until when and what to do. It reads; it decides nothing, so it can only say what the columns say.

import { type ActionPlan, type ShownStatus, shownStatus } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import type { Execution } from '../core/execution.ts'
import { printDuration } from '../core/time/duration-words.ts'
import type { Agenda } from '../store/agenda.ts'
import type { ActionRow, Reader } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { heldReason, providerReasons, type Reason, slotText, type WhyLimitParts } from './why-limits.ts'

export interface Why {
  readonly id: string
  readonly status: ShownStatus | Execution['status']
  readonly reasons: readonly Reason[]
  /** When it will probably go on, if nothing else comes. */
  readonly eta?: number
}

export interface WhyParts extends WhyLimitParts {
  readonly reader: Reader
  readonly clock: Clock
  /** Which live workers run this type; undefined when that is not known. */
  readonly workersFor: (type: string) => Promise<readonly string[] | undefined>
  /** Its armed timers, the next one first. */
  readonly timersOf: Agenda['timersOf']
  /** Can this process, or another that lives, decide for it? */
  readonly isDecided: (execution: Execution) => Promise<boolean>
}

export type AskWhy = (of: Tenancy, id: string) => Promise<Why>

/** The id of an action or of an execution, or a step key such as `l_882/notice_received/notify`. */
export const createWhy =
  (parts: WhyParts): AskWhy =>
  async (of, id) => {
    const { reader } = parts
    const row = (await reader.action(of, id)) ?? (await byStep(reader, of, id))
    if (row !== undefined) return whyAction(parts, of, row)
    const loaded = await reader.execution(of, id)
    if (loaded !== undefined) return whyExecution(parts, of, loaded.execution)
    throw new PawlError('action_not_found', `there is no action, step or execution “${id.slice(0, 80)}”`, {
      path: 'id',
    })
  }

const whyAction = async (parts: WhyParts, of: Tenancy, row: ActionRow): Promise<Why> => {
  const now = parts.clock.now()
  const reasons = row.status === 'queued' ? await queuedReasons(parts, of, row) : [settledReason(row)]
  const untils = reasons.flatMap(({ until }) => until ?? [])
  const isBlocked = reasons.some(({ until, code }) => until === undefined && code !== 'ready')
  return {
    id: row.id,
    status: shownStatus(row, now),
    reasons,
    ...(row.status === 'queued' && !isBlocked && { eta: Math.max(now, ...untils) }),
  }
}

const queuedReasons = async (parts: WhyParts, of: Tenancy, row: ActionRow): Promise<readonly Reason[]> => {
  const { plan, attempt, error } = row
  const now = parts.clock.now()
  const reasons = [...(await pauseReasons(parts, of, row)), ...(await waitReasons(parts, of, row, now))]
  const workers = await parts.workersFor(plan.type)
  if (workers?.length === 0)
    reasons.push({
      code: 'no_worker',
      text: `no live worker runs actions of type “${plan.type}”; start one that has its runner`,
    })
  if (reasons.length > 0) return reasons
  const last = attempt > 0 && error ? ` (the last attempt: ${error.type}: ${error.message})` : ''
  return [{ code: 'ready', text: `${slotText(plan, parts.settingsOf)}${last}` }]
}

/** Its own time, then its provider, each once. */
const waitReasons = async (
  parts: WhyParts,
  of: Tenancy,
  row: ActionRow,
  now: number,
): Promise<readonly Reason[]> => {
  const own = await ownReasons(parts, of, row, now)
  const provider = await providerReasons(parts, of, row, now)
  return [...own, ...provider.filter(({ code }) => own.every((each) => each.code !== code))]
}

const ownReasons = async (
  parts: WhyParts,
  of: Tenancy,
  row: ActionRow,
  now: number,
): Promise<readonly Reason[]> => {
  const { dueAt, hold, attempt } = row
  if (hold !== undefined && !hold.startsWith('paused:')) return [await heldReason(parts, of, row, hold)]
  if (dueAt <= now) return []
  if (attempt > 0) return [{ code: 'retrying', text: retryText(row, dueAt - now), until: dueAt }]
  return [{ code: 'scheduled', text: `it is due in ${printDuration(dueAt - now)}`, until: dueAt }]
}

const pauseReasons = async (
  { reader }: WhyParts,
  of: Tenancy,
  { plan, execution, hold }: ActionRow,
): Promise<readonly Reason[]> => {
  const owner = execution === null ? undefined : (await reader.execution(of, execution))?.execution
  const holds = (scope: string, value: string): boolean =>
    scope === 'tenant' ||
    (scope === 'type' && value === plan.type) ||
    (scope === 'execution' && value === execution) ||
    (scope === 'definition' && value === owner?.definition)
  const found = (await reader.pauses(of)).filter(({ scope, value }) => holds(scope, value))
  const told = found.map(({ scope, value, reason, at }) => {
    const what = scope === 'tenant' ? of.tenant : `“${value}”`
    const because = reason === '' ? '' : `: ${reason}`
    return {
      code: `paused_${scope}`,
      text: `the ${scope} ${what} is paused since ${instant(at)}${because}; resume it`,
    }
  })
  if (told.length > 0 || !hold?.startsWith('paused:')) return told
  return [{ code: 'paused_execution', text: 'its execution is paused; resume it' }]
}

const whyExecution = async (parts: WhyParts, of: Tenancy, execution: Execution): Promise<Why> => {
  const { id, status, state, error, definition, definitionHash } = execution
  const reasons: Reason[] = []
  if (status === 'failed')
    reasons.push({
      code: error?.code ?? 'failed',
      text: `it failed: ${error?.message ?? 'no reason was kept'}`,
    })
  if (status === 'paused') reasons.push({ code: 'paused', text: 'it is paused; resume it' })
  if (status === 'active' && !(await parts.isDecided(execution)))
    reasons.push({
      code: 'definition_unknown',
      text: `no live process knows ${definition}@${definitionHash.slice(0, 8)}; start one that does`,
    })
  const actions = await parts.reader.actions(of, { execution: id }, { limit: 50 })
  for (const row of actions.data.filter((each) => OPEN.has(each.status)))
    reasons.push({
      code: `action_${row.status}`,
      text: `${row.plan.name} (${row.id}) is ${shownStatus(row, parts.clock.now())}`,
      ...(row.status === 'queued' && { until: row.dueAt }),
    })
  const isGoing = status === 'active' && reasons.every(({ code }) => code !== 'definition_unknown')
  const timers = isGoing ? await timerReasons(parts, of, execution) : []
  const all = [...reasons, ...timers]
  const untils = isGoing ? all.flatMap(({ until }) => until ?? []) : []
  const eta = Math.max(parts.clock.now(), Math.min(...untils))
  if (all.length > 0) return { id, status, reasons: all, ...(untils.length > 0 && { eta }) }
  const text = status === 'active' ? `it is in “${state}” and waits for an event` : `it is ${status}`
  return { id, status, reasons: [{ code: status, text }] }
}

/** What comes by itself; an event may come first. */
const timerReasons = async ({ timersOf, clock }: WhyParts, of: Tenancy, { id, state }: Execution) => {
  const timers = await timersOf(of, id, TIMERS_TOLD)
  const now = clock.now()
  return timers.map(({ timer: { key, dueAt } }) => {
    const when = dueAt > now ? `fires in ${printDuration(dueAt - now)}` : 'is due'
    return { code: 'timer', text: `it is in “${state}”: its timer “${key}” ${when}`, until: dueAt }
  })
}

const TIMERS_TOLD = 5

const OPEN: ReadonlySet<string> = new Set(['queued', 'running', 'dead', 'review'])

const byStep = async (reader: Reader, of: Tenancy, stepKey: string): Promise<ActionRow | undefined> => {
  if (!stepKey.includes('/')) return undefined
  // Only what core/keys.ts escapes: a person may type anything here, also what is no encoding at all.
  const execution = stepKey.split('/')[0]!.replace(/%(?:25|2F|7E)/g, decodeURIComponent)
  const page = await reader.actions(of, { execution }, { limit: 250 })
  return page.data.find(({ plan }) => plan.stepKey === stepKey)
}

const instant = (at: number): string => new Date(at).toISOString()

const attemptsText = ({ attempt, lost }: ActionRow, { retryPolicy }: ActionPlan): string =>
  `attempt ${attempt - lost} of ${retryPolicy.maxAttempts}`

const retryText = (row: ActionRow, waitMs: number): string =>
  `${attemptsText(row, row.plan)} ${row.error ? `failed (${row.error.type}: ${row.error.message})` : 'was lost'}; once more in ${printDuration(waitMs)}`

/** What an action that is not queued is, and what a person can do about it. */
const settledReason = (row: ActionRow): Reason => {
  const { status, error, worker, leaseUntil, finishedAt, plan, archivedAt } = row
  const because = error ? `: ${error.type}: ${error.message}` : ''
  switch (status) {
    case 'running':
      return {
        code: row.cancelRequested ? 'cancelling' : 'running',
        text: `${worker} runs it${row.cancelRequested ? ', and was asked to stop' : ''}`,
        ...(leaseUntil !== undefined && { until: leaseUntil }),
      }
    case 'dead':
      return archivedAt === undefined
        ? {
            code: 'dead',
            text: `${attemptsText(row, plan)}${because}; mend the cause and retry it, or archive it`,
          }
        : { code: 'archived', text: `it is archived since ${instant(archivedAt)}${because}` }
    case 'review':
      return {
        code: 'review',
        text: `nobody knows whether its effect happened${because}; look at the receiver, then resolve it`,
      }
    default:
      return {
        code: status,
        text: `it ${status === 'succeeded' ? status : `was ${status}`} at ${instant(finishedAt ?? row.createdAt)}${because}`,
      }
  }
}
