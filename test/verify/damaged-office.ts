// Damage to what limits, bulk operations and tasks keep.

import { by, type Damage, entry, json } from './damage.ts'

const OFFICE = `namespace = 'default' and tenant = 'office'`
const bulk = () => ({ namespace: 'default', tenant: 'office' })

export const OFFICE_DAMAGES: readonly Damage[] = [
  entry(
    'a place of nobody',
    by(`update limit_places set action = 'act_x' where key = 'action:door'`),
    ['I11 no_action'],
    () => ({ action: 'act_x', limit: 'action:door' }),
  ),
  entry(
    "a place that is kept for another tenant's action",
    by(`update limit_places set owner_tenant = 'other' where key = 'action:door'`),
    ['I11 no_action'],
    ({ running }) => ({ action: running!, limit: 'action:door' }),
  ),
  entry(
    'a task of no execution',
    by(`update tasks set execution = 'nobody' where ${OFFICE}`),
    ['I11 no_execution'],
    () => ({ tenant: 'office', execution: 'nobody' }),
  ),
  entry(
    'an item of no bulk operation',
    by(`update bulk_items set bulk = 'blk_x' where ${OFFICE} and status = 'failed'`),
    ['I11 no_bulk'],
    () => ({ bulk: 'blk_x' }),
  ),
  entry(
    'items that no bulk operation sent',
    json('bulk_operations', 'content', OFFICE, (content) => ({ ...content, sent: 1, failed: 0 })),
    ['I6 bulk_miscounted'],
    bulk,
  ),
  entry(
    'a bulk operation that runs and has lost an item',
    by(
      `update bulk_operations set status = 'running' where ${OFFICE}`,
      `delete from bulk_items where ${OFFICE} and status = 'failed'`,
    ),
    ['I6 bulk_miscounted'],
    bulk,
  ),
  entry(
    'a bulk operation that is over before all was heard of',
    json('bulk_operations', 'content', OFFICE, (content) => ({ ...content, sent: 3 })),
    ['I6 bulk_unheard'],
    bulk,
  ),
]
