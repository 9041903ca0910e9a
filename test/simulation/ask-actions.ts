// Owns what clients ask of actions: one of their own, and what people do with those there are, sometimes in the name of
// the wrong tenant.

import type { ActionRequest } from '../../src/core/action.ts'
import { TENANTS } from './bed.ts'
import { type Ask, type ClientParts, errand, of } from './errand.ts'
import { optionsOf, TYPES } from './machines.ts'
import type { Process } from './processes.ts'

const dispatch =
  (parts: ClientParts): Ask =>
  async () => {
    const { seeded, draw, accepted } = parts
    const [tenant, type] = [seeded.pick(TENANTS), seeded.pick(TYPES)]
    const id = `${tenant}-d${draw()}`
    const key = seeded.chance(0.5) ? seeded.pick(['k1', 'k2']) : undefined
    const request: ActionRequest = {
      type,
      config: { tenant, name: id, ...(key !== undefined && { dedup: key }) },
      options: { ...optionsOf(seeded, type), ...(key !== undefined && { dedup: { key, while: 'active' } }) },
      literal: true,
    }
    const answer = await errand(parts, ({ engine }) =>
      engine.dispatch(of(tenant), request, id, engine.commit),
    )
    if (answer !== undefined) accepted.actions.add(answer.id)
  }

type Verb = 'cancelAction' | 'runNow' | 'retry' | 'archive' | 'resolve'

/** Before it is asked: from then on it may have happened. */
const expect = (
  { accepted, receiver, actions }: ClientParts,
  verb: Verb,
  tenant: string,
  id: string,
): void => {
  if (verb === 'retry' || verb === 'resolve') receiver.allow(tenant, actions.stepOf(id)!)
  if (verb === 'retry') accepted.retried.add(id)
  if (verb === 'resolve') accepted.resolved.add(id)
}

const onAction =
  (parts: ClientParts, verb: Verb): Ask =>
  async () => {
    const { seeded, actions, judge } = parts
    const rows = [...actions.live().values()]
    if (rows.length === 0) return
    const { id, tenant: owner } = seeded.pick(rows)
    const tenant = seeded.chance(0.9) ? owner : seeded.pick(TENANTS)
    const outcome = seeded.pick(['succeeded', 'failed', 'retry'] as const)
    expect(parts, verb, owner, id)
    const done = await errand(parts, async ({ engine: { controls } }: Process) => {
      if (verb === 'resolve') await controls.resolve(of(tenant), id, { outcome })
      else if (verb === 'cancelAction') await controls.cancelAction(of(tenant), id, 'a person said so')
      else await controls[verb](of(tenant), id)
      return true
    })
    judge.hold(done === undefined || tenant === owner, 'I11', () => `${tenant} changed ${id} of ${owner}`)
  }

export const actionAsks = (parts: ClientParts): Readonly<Record<string, Ask>> => ({
  dispatch: dispatch(parts),
  cancel: onAction(parts, 'cancelAction'),
  'run now': onAction(parts, 'runNow'),
  retry: onAction(parts, 'retry'),
  archive: onAction(parts, 'archive'),
  resolve: onAction(parts, 'resolve'),
})
