// Owns recurrences that come from definitions, written in code or as data: they begin by themselves, under their own id,
// and are planned anew by a new version. One that a person removed stays away until it is defined anew.

import { PawlError } from '../core/errors.ts'
import { hasEnded } from '../core/execution.ts'
import { canonical, type JsonObject } from '../core/json.ts'
import { progressOf, RECURRENCE_EVENTS } from '../core/triggers/recurrence.ts'
import { RECURRENCE_ID, settingsOfData } from '../core/triggers/recurrence-data.ts'
import type { ParsedRecurrence } from '../definitions/parse.ts'
import type { RecurringCode } from '../definitions/recurring.ts'
import type { StoredExecution, Tenancy } from '../store/store.ts'
import type { Parts } from './parts.ts'

type DefinedParts = Pick<Parts, 'engine' | 'opened' | 'quota'>

/** What its execution keeps of how it was made; empty before its first decision. */
const keptSettings = ({ execution }: Pick<StoredExecution, 'execution'>): JsonObject =>
  progressOf(execution).settings ?? {}

export const isRemoved = (stored: Pick<StoredExecution, 'execution'>): boolean =>
  keptSettings(stored)['removed'] === true

/** Its content is a definition's, so that people may switch it but not change it. */
export const isDefined = (stored: Pick<StoredExecution, 'execution'>): boolean =>
  stored.execution.definition !== RECURRENCE_ID || keptSettings(stored)['definition'] !== undefined

const taken = (id: string, by: string): PawlError =>
  new PawlError('recurrence_conflict', `“${id}” is the id of ${by}`, {
    path: 'id',
    expected: 'another id, or that one removed',
  })

const assertOwn = ({ execution }: StoredExecution): void => {
  const { id, kind, definition } = execution
  if (kind !== 'recurrence') throw taken(id, `an execution of ${definition}`)
  if (definition !== RECURRENCE_ID) throw taken(id, 'a recurrence that is written in code')
  if (hasEnded(execution)) throw taken(id, 'a recurrence that was removed for good')
}

const NULLS = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, null]))

/** Makes the recurrence what its definition says; nothing happens where it is that already. */
export const applyDefined = async (
  { engine, opened, quota }: DefinedParts,
  of: Tenancy,
  { id, hash, data }: Pick<ParsedRecurrence, 'id' | 'hash' | 'data'>,
): Promise<void> => {
  quota.assertOn()
  quota.assertInterval(data.cron)
  const { settings, enabled } = settingsOfData(data, hash)
  const wanted = settings as unknown as JsonObject
  const stored = await opened.reader.execution(of, id)
  if (stored === undefined) {
    await quota.assertRoom(of)
    const variables = { ...wanted, ...(enabled !== undefined && { enabled }) }
    await engine.starting.start(of, RECURRENCE_ID, { id, variables }, engine.commit)
    quota.took(of)
    return
  }
  assertOwn(stored)
  const kept = keptSettings(stored)
  const isBack = isRemoved(stored)
  if (!isBack && canonical(kept) === canonical(wanted)) return
  const isOn = enabled ?? (isBack ? true : undefined)
  const payload = { ...NULLS(kept), ...wanted, ...(isOn !== undefined && { enabled: isOn }) }
  await engine.advancing.ask({ ...of, id }, { type: RECURRENCE_EVENTS.change, payload })
}

/** One written in code begins once, in whichever process is first, and follows the code. */
export const beginCoded = async (
  { engine }: Pick<DefinedParts, 'engine'>,
  of: Tenancy,
  { id, hash }: RecurringCode,
): Promise<void> => {
  const { execution } = await engine.starting.start(of, id, { id }, engine.commit)
  if (hasEnded(execution) || execution.definitionHash === hash) return
  const ask = (type: string, payload: JsonObject = {}) =>
    engine.advancing.ask({ ...of, id }, { type, payload })
  await (isRemoved({ execution })
    ? ask(RECURRENCE_EVENTS.change, { removed: null, enabled: true })
    : ask(RECURRENCE_EVENTS.replan))
}
