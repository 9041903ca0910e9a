// Alerts: one row per cause, counted however often it is met; told of once, acknowledged once, by its tenant alone.

import type { RaisedAlert } from '../../core/alert.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { DEAD, NOW, OF, OTHER, settled } from './members.ts'

const alert = (id: string, over: Partial<RaisedAlert> = {}): RaisedAlert => ({
  id,
  type: 'action_failed',
  severity: 'high',
  cause: 'f1',
  details: { actionId: 'a' },
  ...over,
})

const raise = (id: string, over?: Partial<RaisedAlert>) =>
  ({ kind: 'alert_raise', alert: alert(id, over) }) as const

export const alertCases: readonly Case[] = [
  {
    name: 'alerts: the same one again is counted, says the last of it, and keeps its first instant',
    run: async (bed) => {
      await bed.ok({ control: [raise('alr_1'), raise('alr_2')] })
      await bed.ok({ at: NOW + 7, control: [raise('alr_1', { details: { actionId: 'b' } })] })
      await bed.ok({ at: NOW + 3, control: [raise('alr_1', { details: { actionId: 'c' } })] })
      const expected = {
        ...OF,
        ...alert('alr_1', { details: { actionId: 'c' } }),
        count: 3,
        firstAt: NOW,
        lastAt: NOW + 7,
      }
      same(await bed.triage.alert(OF, 'alr_1'), expected, 'the alert')
      same((await bed.triage.alert(OTHER, 'alr_1')) ?? null, null, 'for another tenant')
    },
  },
  {
    name: 'alerts: one batch that raises it twice counts it twice',
    run: async (bed) => {
      const member = { ...OF, at: NOW, control: [raise('alr_1')] }
      await bed.store.commit([member, member, { ...member, ...OTHER }])
      has(await bed.triage.alert(OF, 'alr_1'), { count: 2 }, 'of the one tenant')
      has(await bed.triage.alert(OTHER, 'alr_1'), { count: 1 }, 'of the other')
    },
  },
  {
    name: 'alerts: raised with the settlement it is about, or not at all',
    run: async (bed) => {
      const claim = await bed.claimed('a')
      const stale = { ...claim, nonce: 'another' }
      const lost = await bed.commit({ settle: [settled(stale, DEAD)], control: [raise('alr_1')] })
      same(lost.status, 'fenced', 'a stale claim')
      same((await bed.triage.alert(OF, 'alr_1')) ?? null, null, 'raises nothing')
      await bed.ok({ settle: [settled(claim, DEAD)], control: [raise('alr_1')] })
      has(await bed.triage.alert(OF, 'alr_1'), { count: 1 }, 'with its settlement')
    },
  },
  {
    name: 'alerts: told of once; raised again it stays told',
    run: async (bed) => {
      await bed.ok({ at: NOW + 1, control: [raise('alr_2')] })
      await bed.ok({ ...OTHER, control: [raise('alr_1')] })
      same(
        (await bed.triage.untold(9)).map(({ id }) => id),
        ['alr_1', 'alr_2'],
        'of all tenants, oldest first',
      )
      const tell = { kind: 'alert_tell', alertId: 'alr_2' } as const
      has(await bed.control(tell, OTHER), { status: 'conflict', subject: 'alr_2' }, 'by another tenant')
      same((await bed.control(tell)).status, 'ok', 'the first time')
      has(await bed.control(tell), { status: 'conflict', subject: 'alr_2' }, 'the second time')
      await bed.ok({ at: NOW + 2, control: [raise('alr_2')] })
      same(
        (await bed.triage.untold(9)).map(({ id }) => id),
        ['alr_1'],
        'afterwards',
      )
    },
  },
  {
    name: 'alerts: acknowledged once, by its tenant; listed newest first, open or not',
    run: async (bed) => {
      for (const [index, id] of ['alr_1', 'alr_2', 'alr_3'].entries())
        await bed.ok({ at: NOW + index, control: [raise(id)] })
      const acknowledge = { kind: 'alert_acknowledge', alertId: 'alr_2', by: 'ada' } as const
      same((await bed.control(acknowledge, OTHER)).status, 'conflict', 'by another tenant')
      await bed.ok({ at: NOW + 9, control: [acknowledge] })
      same((await bed.control(acknowledge)).status, 'conflict', 'a second time')
      const acknowledged = { acknowledgedAt: NOW + 9, acknowledgedBy: 'ada' }
      has(await bed.triage.alert(OF, 'alr_2'), acknowledged, 'who and when')
      const list = async (open?: boolean) =>
        (await bed.triage.alerts(OF, open === undefined ? {} : { open }, { limit: 9 })).data.map(
          ({ id }) => id,
        )
      same(await list(), ['alr_3', 'alr_2', 'alr_1'], 'all')
      same(await list(true), ['alr_3', 'alr_1'], 'open')
      same(await list(false), ['alr_2'], 'not open')
      const first = await bed.triage.alerts(OF, {}, { limit: 2 })
      const rest = await bed.triage.alerts(OF, {}, { limit: 2, after: first.next! })
      same(
        rest.data.map(({ id }) => id),
        ['alr_1'],
        'the second page',
      )
      same((await bed.triage.alerts(OTHER, {}, { limit: 9 })).data, [], 'for another tenant')
    },
  },
  {
    name: 'alerts: retention removes those whose cause was last met before its time',
    prunes: true,
    run: async (bed) => {
      await bed.ok({ control: [raise('alr_1'), raise('alr_2')] })
      await bed.ok({ at: NOW + 5, control: [raise('alr_2')] })
      const none = { doneBefore: 0, inboxBefore: 0, dedupBefore: 0 }
      while (await bed.keeper.prune({ ...none, eventsBefore: NOW + 1 }, 10));
      same(
        (await bed.triage.alerts(OF, {}, { limit: 9 })).data.map(({ id }) => id),
        ['alr_2'],
        'what is left',
      )
    },
  },
]
