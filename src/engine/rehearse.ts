// Owns the rehearsal of a change of variables: what an execution would be and do with them, decided as it would be and
// written nowhere.

import { PawlError } from '../core/errors.ts'
import { type Event, VARIABLES_PATCHED } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import { type Folded, fold } from '../core/fold.ts'
import { assertStorable, type JsonObject } from '../core/json.ts'
import type { Reader } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { missing } from './advance.ts'
import type { Clock } from './clock.ts'
import type { Directory } from './directory.ts'
import { refusal } from './move.ts'

export interface Rehearsed extends Pick<Folded, 'actions' | 'timers' | 'cancel'> {
  readonly before: Execution
  readonly after: Execution
}

export type Rehearse = (of: Tenancy, id: string, variables: JsonObject) => Promise<Rehearsed>

export interface RehearseParts {
  readonly reader: Pick<Reader, 'execution'>
  readonly directory: Pick<Directory, 'place'>
  readonly clock: Clock
}

export const createRehearse =
  ({ reader, directory, clock }: RehearseParts): Rehearse =>
  async (of, id, variables) => {
    assertStorable(variables, 'variables')
    const loaded = await reader.execution(of, id)
    if (loaded === undefined) throw missing({ ...of, id })
    const { execution: before } = loaded
    const place = await directory.place(before)
    if (place.kind !== 'known')
      throw new PawlError('definition_unknown', `this process cannot decide for “${before.definition}”`, {
        expected: 'to ask a process that has its code',
      })
    const now = clock.now()
    const event: Event = { id: 'rehearsal', type: VARIABLES_PATCHED, payload: variables, at: now }
    const folded = fold(place.known.decide, before, [event], { now, draw: () => '' })
    if (folded.failure) throw refusal(folded.failure.thrown, place.known)
    const { execution: after, actions, timers, cancel } = folded
    return { before, after, actions, timers, cancel }
  }
