// Owns what people ask for, once its target was checked: cancel, run now, hold, retry, archive, resolve, pause, resume,
// define.

import { PawlError } from '../../core/errors.ts'
import type { Control, DefinitionRow, Member, Result } from '../store.ts'
import type { AlertChange } from '../triage-change.ts'
import { cancelAction, dueOf, holdOf, moveToDone, releaseKey } from './actions.ts'
import { writeAlert } from './alerts.ts'
import { writeBulk } from './bulk.ts'
import type { Target } from './check-control.ts'
import { type Draft, keyOf } from './draft.ts'
import { pause, resume } from './pause.ts'
import type { ActionState } from './states.ts'

type Of<Kind extends Control['kind']> = Extract<Control, { readonly kind: Kind }>

const retry = (draft: Draft, member: Member, row: ActionState, dueAt: number): void => {
  draft.actions.set(row.id, {
    ...row,
    status: 'queued',
    due_at: dueAt,
    lost: row.attempt,
    reaps: 0,
    worker: null,
    finished_at: null,
    fingerprint: null,
    cancel_requested: false,
  })
  draft.count(member, `actions.${row.status}`, member.at, -1)
  draft.count(member, 'actions.open', member.at, 1)
  draft.wakeLane(row.lane)
}

const hold = (draft: Draft, member: Member, row: ActionState, control: Of<'hold'>): void => {
  const released = { nonce: null, worker: null, lease_until: null }
  draft.actions.set(row.id, {
    ...row,
    ...released,
    status: 'queued',
    due_at: dueOf(row, member, control.dueAt),
    hold: holdOf(row, control.hold),
  })
  draft.wakeLane(row.lane)
}

const archive = (draft: Draft, member: Member, row: ActionState): void => {
  const change = { finished_at: row.finished_at ?? member.at }
  moveToDone(draft, row, change, { archived_at: member.at, result: null })
  releaseKey(draft, row, true)
  draft.count(member, `actions.${row.status}`, member.at, -1)
  draft.count(member, 'actions.archived', member.at, 1)
}

const resolve = (draft: Draft, member: Member, control: Of<'resolve_review'>, row: ActionState): void => {
  const { status, result, error } = control
  if (status === 'queued') {
    retry(draft, member, row, member.at)
    return
  }
  const ending = { status, finished_at: member.at }
  if (status === 'dead')
    draft.actions.set(row.id, {
      ...row,
      ...ending,
      error: error ?? row.error,
      fingerprint: row.fingerprint ?? '',
    })
  else {
    const text = result === undefined ? null : JSON.stringify(result)
    moveToDone(draft, row, { ...ending, error: error ?? null }, { archived_at: null, result: text })
  }
  releaseKey(draft, row, status === 'dead')
  draft.count(member, 'actions.review', member.at, -1)
  draft.count(member, `actions.${status}`, member.at, 1)
}

const define = (draft: Draft, member: Member, definition: DefinitionRow): Pick<Result, 'version'> => {
  const { namespace, tenant, at } = member
  const { kind, id, hash, content } = definition
  const key = keyOf(namespace, tenant, kind, id)
  const known = draft.definitions.get(key) ?? { namespace, tenant, kind, id, versions: new Map(), added: [] }
  const found = known.versions.get(hash)
  if (found !== undefined) return { version: found }
  const version = Math.max(0, ...known.versions.values()) + 1
  const row = { namespace, tenant, kind, id, version, hash, created_at: at, content }
  draft.definitions.set(key, {
    ...known,
    versions: new Map([...known.versions, [hash, version]]),
    added: [...known.added, row],
  })
  return { version }
}

export const applyControl = (
  draft: Draft,
  member: Member,
  control: Control,
  target: Target,
): Pick<Result, 'version'> => {
  if (control.kind === 'define') return define(draft, member, control.definition)
  if (control.kind === 'pause') pause(draft, member, control)
  else if (control.kind === 'resume') resume(draft, member, control)
  else if (control.kind === 'bulk') writeBulk(draft, member, control)
  else if (isAlert(control)) writeAlert(draft, member, control)
  else applyToAction(draft, member, control, target.row!)
  return {}
}

const isAlert = (control: Control): control is AlertChange => control.kind.startsWith('alert_')

const applyToAction = (
  draft: Draft,
  member: Member,
  control: Exclude<Control, Of<'define' | 'pause' | 'resume' | 'bulk'> | AlertChange>,
  row: ActionState,
): void => {
  switch (control.kind) {
    case 'cancel_action':
      cancelAction(draft, member, row, control.reason)
      break
    case 'run_now':
      draft.actions.set(row.id, { ...row, due_at: member.at, hold: holdOf(row, null) })
      draft.wakeLane(row.lane)
      break
    case 'hold':
      hold(draft, member, row, control)
      break
    case 'retry_dead':
      retry(draft, member, row, control.dueAt)
      break
    case 'archive_dead':
      archive(draft, member, row)
      break
    case 'resolve_review':
      resolve(draft, member, control, row)
      break
    default:
      throw new PawlError('commit_refused', `there is no control "${String((control as Control).kind)}"`)
  }
}
