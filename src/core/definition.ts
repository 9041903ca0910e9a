// Owns the shape of definitions written as data: what JSON and YAML files and the HTTP API hold once they have been
// read. Reading and refusing them is src/definitions/; turning them into something that decides is in triggers/.

import type { RequestOptions } from './action.ts'
import { sha256Hex } from './hash.ts'
import { canonical, type Json, type JsonObject } from './json.ts'

/** An action as REQUIREMENTS F-030 writes it. Everything but id, type and config has a default. */
export interface ActionData extends RequestOptions {
  readonly actionId: string
  readonly type: string
  readonly triggerState?: string
  /** The machine it belongs to, when it stands in a file of its own. */
  readonly machine?: string
  readonly config: Json
  readonly enabled?: boolean
  /** A cron expression: the action recurs while in its state, without one all the time, instead of running on entry. */
  readonly schedule?: string
  /** Whose clock the schedule is read by. Default UTC. */
  readonly timezone?: string
  readonly description?: string
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** An action asked for in place: `enter: { type, config, … }`. */
export interface RequestData extends RequestOptions {
  readonly type: string
  readonly config: Json
}

export interface TransitionData {
  readonly to?: string
  readonly of?: string
  readonly internal?: boolean
  readonly condition?: Json
  /** Variables to change; values are templates. */
  readonly set?: JsonObject
}

export type TransitionsData = string | TransitionData | readonly TransitionData[]

export interface StateData {
  readonly enter?: RequestData | readonly RequestData[]
  readonly on?: Readonly<Record<string, TransitionsData>>
  readonly after?: Readonly<Record<string, TransitionsData>>
  readonly final?: boolean
  readonly description?: string
}

export interface MachineData {
  readonly kind: 'machine'
  readonly id: string
  readonly description?: string
  readonly initial: string
  readonly states: Readonly<Record<string, StateData>>
  readonly actions?: readonly ActionData[]
  /** JSON Schema of the variables, and of each event's payload. */
  readonly variables?: JsonObject
  readonly events?: Readonly<Record<string, JsonObject>>
  readonly onActionDead?: 'continue' | 'fail'
  readonly versions?: 'follow' | 'pin'
}

/** A definition's version is its content: equal content, equal hash, whatever the order of its keys. */
export const definitionHash = (content: unknown): string => sha256Hex(canonical(content))
