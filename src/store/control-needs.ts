// Owns which status an action must have for what people ask of it, the same on every store.

import type { ActionStatus } from '../core/action.ts'
import type { Control } from './store.ts'

export type OnAction = Extract<Control, { readonly id: string }>

const NEEDS: Readonly<Record<OnAction['kind'], readonly ActionStatus[]>> = {
  cancel_action: ['queued', 'running'],
  run_now: ['queued'],
  retry_dead: ['dead'],
  archive_dead: ['dead', 'review'],
  resolve_review: ['review'],
}

export const mayBeDone = (control: OnAction, status: ActionStatus): boolean =>
  control.kind === 'cancel_action' && control.only !== undefined
    ? status === control.only
    : NEEDS[control.kind].includes(status)
