// Owns group commit: members that arrive while a commit is under way go together with the next one. Nothing lingers when
// nothing is under way: a member waits for one turn of the event loop, in which those that come with it join.
// G1  One execution is in one commit at a time, so that a member never conflicts with another of its own process.
// G2  A store that throws fails everyone in that batch, with the same error; who they are stays known to the store.
// G3  A batch is bounded in members and in bytes; one that is larger than that by itself goes alone.

import type { Member, Result, Store } from '../store/store.ts'
import { keyOf } from './cache.ts'
import { weigh } from './weigh.ts'

export type Commit = (member: Member) => Promise<Result>

export interface CommitterOptions {
  /** A turn of the event loop: whoever was answered together asks together. */
  readonly turn: () => Promise<void>
  /** Commits under way at most, now. */
  readonly flights?: () => number
  /** Members of a batch at most. */
  readonly batch?: number
  /** Bytes of a batch at most, about. */
  readonly bytes?: number
}

interface Waiting {
  readonly member: Member
  readonly executions: readonly string[]
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const BATCH = 200
const BYTES = 4 * 1024 * 1024
/** A commit beside another pays when there is this much for it; before, what waits is cheaper in one. */
const WORTHWHILE = 25

const NO_EXECUTIONS: readonly string[] = []

const executionsOf = ({ namespace, tenant, advance, deliver = [], control = [] }: Member) => {
  if (deliver.length === 0 && control.length === 0)
    return advance === undefined ? NO_EXECUTIONS : [keyOf({ namespace, tenant, id: advance.execution.id })]
  const ids = deliver.map(({ execution }) => execution)
  if (advance !== undefined) ids.push(advance.execution.id)
  for (const one of control) if ('scope' in one && one.scope === 'execution') ids.push(one.value)
  return ids.map((id) => keyOf({ namespace, tenant, id }))
}

/** What may be large in a member; the rest of it is bounded by its plan. */
const weightOf = ({ advance, enqueue, deliver, record, settle }: Member): number => {
  let sum = 0
  if (enqueue !== undefined) for (const { plan } of enqueue) sum += weigh(plan.config)
  if (deliver !== undefined) for (const { event } of deliver) sum += weigh(event.payload)
  if (record !== undefined) for (const { data } of record) sum += weigh(data)
  if (settle !== undefined) for (const { settlement } of settle) sum += weigh(settlement.result)
  if (advance === undefined) return sum
  for (const { plan } of advance.actions) sum += weigh(plan.config)
  for (const { event } of advance.consume) sum += weigh(event.payload)
  return sum + weigh(advance.execution.variables)
}

/** What waits, in the order it came. */
const createQueue = (maxBytes: number) => {
  let waiting: Waiting[] = []
  const busy = new Map<string, number>()
  const mark = (group: readonly Waiting[], by: 1 | -1): void => {
    for (const { executions } of group)
      for (const id of executions) {
        const now = (busy.get(id) ?? 0) + by
        if (now === 0) busy.delete(id)
        else busy.set(id, now)
      }
  }
  return {
    size: (): number => waiting.length,
    add: (one: Waiting): void => void waiting.push(one),
    /** The next that may go together. What has to wait for its execution lets others pass, but none of its own (G1). */
    take: (limit: number): readonly Waiting[] => {
      const group: Waiting[] = []
      const left: Waiting[] = []
      const behind = new Set<string>()
      const isTaken = (id: string): boolean => busy.has(id) || behind.has(id)
      let bytes = 0
      let index = 0
      for (; index < waiting.length && group.length < limit; index++) {
        const one = waiting[index]!
        if (one.executions.some(isTaken)) {
          left.push(one)
          for (const id of one.executions) behind.add(id)
          continue
        }
        bytes += weightOf(one.member)
        if (bytes > maxBytes && group.length > 0) break
        group.push(one)
      }
      waiting = left.length === 0 ? waiting.slice(index) : [...left, ...waiting.slice(index)]
      mark(group, 1)
      return group
    },
    over: (group: readonly Waiting[]): void => mark(group, -1),
  }
}

export const createCommitter = (
  commit: Store['commit'],
  { turn, flights = () => 1, batch = BATCH, bytes = BYTES }: CommitterOptions,
): Commit => {
  const queue = createQueue(bytes)
  let underWay = 0
  let isCalled = false

  const fly = async (group: readonly Waiting[]): Promise<void> => {
    underWay += 1
    try {
      const results = await commit(group.map(({ member }) => member))
      for (let index = 0; index < group.length; index++) group[index]!.resolve(results[index]!)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    underWay -= 1
    queue.over(group)
    call()
  }
  const depart = (): void => {
    const most = flights()
    while (underWay < most && queue.size() >= (underWay === 0 ? 1 : Math.min(WORTHWHILE, batch))) {
      const share = Math.max(WORTHWHILE, Math.ceil(queue.size() / (most - underWay)))
      const group = queue.take(Math.min(batch, share))
      if (group.length === 0) return
      void fly(group)
    }
  }
  const call = (): void => {
    if (isCalled || underWay >= flights() || queue.size() === 0) return
    isCalled = true
    void turn().then(() => {
      isCalled = false
      depart()
    })
  }
  return (member) =>
    new Promise((resolve, reject) => {
      queue.add({ member, executions: executionsOf(member), resolve, reject })
      call()
    })
}
