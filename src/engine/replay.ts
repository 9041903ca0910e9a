// Owns making an action anew (KERNEL §9): with an edited config, or by wish, it is a new action with a key of its own,
// linked to the old one, which leaves the dead letters in the same commit. Of an action that belongs to an execution the
// new one does too, so that its result is heard of. Nothing is rendered again; a config is checked by its runner.

import type { ActionPlan } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import { hasEnded } from '../core/execution.ts'
import { assertStorable, type Json } from '../core/json.ts'
import { inWords } from '../core/schema.ts'
import { keptSecrets } from '../core/template/kept-secrets.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { ActionRow, Reader } from '../store/reader.ts'
import type { Advance, Control, Member, NewAction, Result } from '../store/store.ts'
import type { ExecutionCache } from './cache.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { Chance } from './random.ts'

export interface ReplayParts {
  readonly reader: Pick<Reader, 'execution'>
  readonly commit: Commit
  readonly cache: ExecutionCache
  readonly clock: Clock
  readonly chance: Chance
  readonly runnerOf: (type: string) => AnyRunner | undefined
}

export interface Anew {
  /** The new action. */
  readonly id: string
  readonly result: Result
}

/** Someone else may be moving the execution: look again this often. */
const MAX_TRIES = 8

/** `more` is asked for in the same commit. Throws when the config does not fit; tells a conflict in the result. */
export const makeAnew = async (
  parts: ReplayParts,
  row: ActionRow,
  config: Json,
  more: (id: string) => readonly Control[],
): Promise<Anew> => {
  const now = parts.clock.now()
  const id = parts.chance.id('act', now)
  const action: NewAction = { id, source: row.source, plan: planAnew(parts, row, config, id, now) }
  const isLive = row.status === 'dead' && row.archivedAt === undefined
  const control: readonly Control[] = [
    ...(isLive ? [{ kind: 'archive_dead', id: row.id } as const] : []),
    ...more(id),
  ]
  const { namespace, tenant } = row
  return { id, result: await write(parts, row, action, { namespace, tenant, at: now, control }) }
}

const planAnew = (
  { runnerOf }: ReplayParts,
  { id: replayOf, plan }: ActionRow,
  config: Json,
  stepKey: string,
  now: number,
): ActionPlan => {
  assertStorable(config, `the config of ${plan.type}`)
  const secrets = keptSecrets(config, plan.secrets)
  assertFits(runnerOf(plan.type), config, secrets)
  // Its key was let go of when it died, and its time may be over: whoever replays it wants it now.
  const { error: _, dedup: __, expiresAt: ___, ...kept } = plan
  const metadata = { ...plan.metadata, replayOf }
  return { ...kept, status: 'queued', stepKey, config, secrets, dueAt: now, metadata }
}

/** What stands where a secret will stand is no misfit: only the attempt sees what is filled in. */
const assertFits = (runner: AnyRunner | undefined, config: Json, secrets: ActionPlan['secrets']): void => {
  const filled = secrets.map(({ pointer }) => pointer.slice(1).replaceAll('/', '.'))
  const misfits = runner?.validateConfig(config).errors.filter(({ path }) => !filled.includes(path)) ?? []
  if (misfits.length > 0)
    throw new PawlError('config_invalid', `the config of ${runner!.type}: ${inWords(misfits)}`, {
      path: ['config', misfits[0]!.path].filter(Boolean).join('.'),
    })
}

const write = async (
  parts: ReplayParts,
  row: ActionRow,
  action: NewAction,
  member: Member,
): Promise<Result> => {
  for (let tries = 1; row.execution !== null; tries++) {
    const loaded = await parts.reader.execution(row, row.execution)
    if (loaded === undefined || hasEnded(loaded.execution)) break
    const result = await parts.commit({ ...member, advance: standing(loaded, row, action) })
    parts.cache.drop({ namespace: row.namespace, tenant: row.tenant, id: row.execution })
    const isOvertaken = result.status === 'conflict' && result.subject === row.execution
    if (!isOvertaken || tries === MAX_TRIES) return result
  }
  return parts.commit({ ...member, enqueue: [action] })
}

/** The execution stays where it is and gets one more action. */
const standing = (
  { execution, revision, chain }: NonNullable<Awaited<ReturnType<Reader['execution']>>>,
  { id: replayOf }: ActionRow,
  action: NewAction,
): Advance => ({
  execution,
  expected: revision,
  chain,
  consume: [],
  actions: [action],
  timers: [],
  cancel: { timers: [], actions: [] },
  history: [
    {
      type: 'action.replayed',
      at: action.plan.dueAt,
      data: { action: action.id, replayOf, name: action.plan.name, type: action.plan.type },
    },
  ],
})
