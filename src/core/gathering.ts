// Owns making one action of many requests: debounced (the last one counts, when it has been quiet for a while) or batched
// (all of them, when there are enough or the first has waited long enough). What a waiting action becomes by one more request
// is decided here; that it happens in one commit, and to one action, is the stores'.
// G1  Only an action that was never started takes anything in: every attempt of it sends the same bytes.

import type { ActionPlan, Gather } from './action.ts'
import { PawlError } from './errors.ts'
import { isObject, type Json, MAX_JSON_LENGTH } from './json.ts'
import { durationMs } from './time/duration.ts'

export interface DebounceInput {
  readonly key: string
  /** It starts when so long nothing of the key was asked for … */
  readonly wait: string | number
  /** … and at the latest so long after the first. */
  readonly maxWait?: string | number
}

export interface BatchInput {
  readonly key: string
  /** It starts when it has so many items … */
  readonly size: number
  /** … or so long after the first. */
  readonly wait: string | number
}

/** An action that waits to be started, as it is stored. */
export interface Gathering {
  readonly plan: ActionPlan
  readonly dueAt: number
  readonly createdAt: number
}

export interface Gathered {
  readonly plan: ActionPlan
  readonly dueAt: number
  /** It takes nothing more in: the next request begins another. */
  readonly isFull: boolean
}

const MAX_SIZE = 10_000

/** The plan as it waits for others of its key. */
export const gatheringPlan = (
  plan: ActionPlan,
  input: { readonly debounce?: DebounceInput; readonly batch?: BatchInput },
  now: number,
): ActionPlan => {
  const { debounce, batch } = input
  if (debounce !== undefined && batch !== undefined)
    throw refuse('batch', 'an action is debounced or batched, not both', 'one of debounce and batch')
  if (plan.dedup !== undefined)
    throw refuse('dedup', 'what is gathered by a key has no other key', 'dedup, or debounce, or batch')
  return debounce === undefined ? batchPlan(plan, batch!, now) : debouncePlan(plan, debounce, now)
}

const refuse = (path: string, message: string, expected: string): PawlError =>
  new PawlError('invalid_option', message, { path, expected })

const keyOf = (kind: string, type: string, key: unknown): string => {
  if (typeof key === 'string' && key !== '' && key.length <= 200) return `${kind}/${type}/${key}`
  throw refuse(`${kind}.key`, 'a key is text', '1 to 200 characters')
}

const debouncePlan = (plan: ActionPlan, input: DebounceInput, now: number): ActionPlan => {
  const waitMs = durationMs(input.wait, 'debounce.wait')
  const maxWaitMs = input.maxWait === undefined ? undefined : durationMs(input.maxWait, 'debounce.maxWait')
  if (maxWaitMs !== undefined && maxWaitMs < waitMs)
    throw refuse('debounce.maxWait', 'the longest wait is shorter than the wait', 'wait, or longer')
  const gather: Gather = { kind: 'debounce', waitMs, ...(maxWaitMs !== undefined && { maxWaitMs }) }
  return { ...plan, dueAt: now + waitMs, gather, dedup: { key: keyOf('debounce', plan.type, input.key) } }
}

const batchPlan = (plan: ActionPlan, { key, size, wait }: BatchInput, now: number): ActionPlan => {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE)
    throw refuse('batch.size', `${size} is no size of a batch`, `a whole number from 1 to ${MAX_SIZE}`)
  const items = itemsOf(plan.config)
  if (items === undefined)
    throw refuse(
      'config.items',
      'what is batched has a list “items”',
      '{ items: [ … ] }, joined with those of others',
    )
  if (items.length > size)
    throw refuse(
      'config.items',
      `${items.length} items are more than a batch of ${size}`,
      'fewer, or a larger size',
    )
  if (plan.secrets.length > 0)
    throw refuse(
      'config',
      'what is batched holds no secrets',
      'the secret in the config of the runner instead',
    )
  const waitMs = durationMs(wait, 'batch.wait')
  const dueAt = items.length === size ? now : now + waitMs
  return {
    ...plan,
    dueAt,
    gather: { kind: 'batch', waitMs, size },
    dedup: { key: keyOf('batch', plan.type, key) },
  }
}

const itemsOf = (config: Json): readonly Json[] | undefined => {
  const items = isObject(config) ? config['items'] : undefined
  return Array.isArray(items) ? items : undefined
}

/** Is it full from the start? Then it stands for nobody. */
export const isFullAlone = ({ gather, config }: ActionPlan): boolean =>
  gather?.kind === 'batch' && itemsOf(config)!.length >= gather.size

/** What the waiting one becomes; undefined: they stay apart, and the waiting one is due at once. */
export const gatherInto = (waiting: Gathering, more: ActionPlan, at: number): Gathered | undefined => {
  const { gather } = more
  return gather?.kind === 'batch' ? join(waiting, more, gather.size, at) : replace(waiting, more, at)
}

const replace = ({ plan, createdAt }: Gathering, more: ActionPlan, at: number): Gathered => {
  const { waitMs, maxWaitMs = Infinity } = more.gather as Extract<Gather, { readonly kind: 'debounce' }>
  const dueAt = Math.min(at + waitMs, createdAt + maxWaitMs)
  return { plan: { ...latest(plan, more), dueAt }, dueAt, isFull: false }
}

/** The first keeps its name and its key; what it does is what the last one says. */
const latest = (plan: ActionPlan, { config, secrets, summary, tags, metadata }: ActionPlan): ActionPlan => {
  const { summary: _, ...kept } = plan
  return { ...kept, config, secrets, tags, metadata, ...(summary !== undefined && { summary }) }
}

const join = (
  { plan, dueAt }: Gathering,
  more: ActionPlan,
  size: number,
  at: number,
): Gathered | undefined => {
  const items = [...(itemsOf(plan.config) ?? []), ...itemsOf(more.config)!]
  const config = { ...(more.config as { readonly [key: string]: Json }), items }
  if (items.length > size || JSON.stringify(config).length > MAX_JSON_LENGTH) return undefined
  const isFull = items.length === size
  const due = isFull ? at : dueAt
  return { plan: { ...latest(plan, more), config, dueAt: due }, dueAt: due, isFull }
}
