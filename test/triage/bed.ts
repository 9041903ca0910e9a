// What the cases of triage stand on: dead letters of a runner that can be mended, or told how each attempt ends.

import { type Pawl, permanent } from '../../src/index.ts'
import type { Bed } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

export interface Letters {
  readonly pawl: Pawl
  readonly mail: ReturnType<typeof spy>
  readonly ids: readonly string[]
  /** What an attempt throws, by the action's number; nothing: it succeeds. */
  readonly state: { fails: (index: number) => Error | undefined }
}

const REFUSED = () => permanent('malformed_request', 'no such address')

/** So many dead letters, `{ index }` in each config. */
export const bury = async (
  bed: Bed,
  count: number,
  options: Parameters<Bed['open']>[0] = {},
): Promise<Letters> => {
  const state: Letters['state'] = { fails: REFUSED }
  const mail = spy('mail', ({ config }) => {
    const error = state.fails((config as { readonly index: number }).index)
    if (error !== undefined) throw error
    return 'sent'
  })
  const pawl = await bed.open({ runners: [mail], ...options })
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await pawl.dispatch(mail({ index }))).id)
  await settle(pawl)
  return { pawl, mail, ids, state }
}

export const healthy = (): undefined => undefined
