// Owns what people ask for, once its target was checked: cancel, run now, hold, retry, archive, resolve, pause, resume,
// define.

import type { Control, DefinitionRow, Member, Result } from '../store.ts'
import type { AlertChange } from '../triage-change.ts'
import { cancelAction, moveToDone, releaseKey } from './actions.ts'
import { writeAlert } from './alerts.ts'
import { writeBulk } from './bulk.ts'
import type { Target } from './check-control.ts'
import type { FenceRecord } from './fence.ts'
import type { Ending } from './finished.ts'
import { pause, resume } from './pause.ts'
import { seal, sealOptional } from './sealed.ts'
import type { Work } from './work.ts'

type Of<Kind extends Control['kind']> = Extract<Control, { readonly kind: Kind }>

const endingOf = (row: FenceRecord, status: Ending['status'], finishedAt: number): Ending => ({
  status,
  finishedAt,
  attempt: row.attempt,
  lost: row.lost,
  reaps: row.reaps,
  startedAt: row.started_at,
  error: row.error,
})

const retry = (work: Work, member: Member, row: FenceRecord, dueAt: number): void => {
  work.sql.reviveAction.run({ row: row.row, due_at: dueAt })
  work.count(member, `actions.${row.status}`, member.at, -1)
  work.count(member, 'actions.open', member.at, 1)
  work.wakeLane(row.lane)
}

const archive = (work: Work, member: Member, id: string, row: FenceRecord): void => {
  const status = row.status === 'review' ? 'review' : 'dead'
  moveToDone(work, id, row.row, {
    ...endingOf(row, status, row.finished_at ?? member.at),
    archivedAt: member.at,
  })
  releaseKey(work, member, { id, dedup_key: row.dedup_key }, true)
  work.count(member, `actions.${status}`, member.at, -1)
  work.count(member, 'actions.archived', member.at, 1)
}

const resolve = (work: Work, member: Member, control: Of<'resolve_review'>, row: FenceRecord): void => {
  const { id, status, result, error } = control
  if (status === 'queued') {
    retry(work, member, row, member.at)
    return
  }
  if (status === 'dead') {
    const { attempt, lost, reaps } = row
    const kept = { attempt, lost, reaps, started_at: row.started_at, fingerprint: row.fingerprint ?? '' }
    const written = error === undefined ? row.error : seal(error)
    work.sql.endAction.run({ ...kept, row: row.row, status, finished_at: member.at, error: written })
  } else {
    const ending = endingOf(row, status, member.at)
    moveToDone(work, id, row.row, { ...ending, error: sealOptional(error), result: sealOptional(result) })
  }
  releaseKey(work, member, { id, dedup_key: row.dedup_key }, status === 'dead')
  work.count(member, 'actions.review', member.at, -1)
  work.count(member, `actions.${status}`, member.at, 1)
}

const define = (work: Work, member: Member, definition: DefinitionRow): Pick<Result, 'version'> => {
  const { namespace, tenant, at } = member
  const { kind, id, hash } = definition
  const key = { namespace, tenant, kind, id, hash }
  const row =
    work.sql.findDefinition.get<{ version: number }>(key) ??
    work.sql.insertDefinition.get<{ version: number }>({ ...key, content: seal(definition.content), at })!
  return { version: row.version }
}

export const applyControl = (
  work: Work,
  member: Member,
  control: Control,
  target: Target,
): Pick<Result, 'version'> => {
  if (control.kind === 'define') return define(work, member, control.definition)
  if (control.kind === 'pause') pause(work, member, control)
  else if (control.kind === 'resume') resume(work, member, control)
  else if (control.kind === 'bulk') writeBulk(work, member, control)
  else if (isAlert(control)) writeAlert(work, member, control)
  else applyToAction(work, member, control, target.row!)
  return {}
}

const isAlert = (control: Control): control is AlertChange => control.kind.startsWith('alert_')

const applyToAction = (
  work: Work,
  member: Member,
  control: Exclude<Control, Of<'define' | 'pause' | 'resume' | 'bulk'> | AlertChange>,
  row: FenceRecord,
): void => {
  switch (control.kind) {
    case 'cancel_action':
      cancelAction(work, member, { ...row, id: control.id }, control.reason)
      break
    case 'run_now':
      work.sql.runNow.run({ row: row.row, due_at: member.at })
      work.wakeLane(row.lane)
      break
    case 'hold':
      work.sql.holdAction.run({ row: row.row, at: member.at, due_at: control.dueAt, hold: control.hold })
      work.wakeLane(row.lane)
      break
    case 'retry_dead':
      retry(work, member, row, control.dueAt)
      break
    case 'archive_dead':
      archive(work, member, control.id, row)
      break
    case 'resolve_review':
      resolve(work, member, control, row)
  }
}
