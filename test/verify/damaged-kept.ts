// Damage to what stands for itself: alerts, the outbox, and what limits remember.

import { by, type Damage, entry, json, MINE } from './damage.ts'

const ALERT = () => ({ namespace: 'default', tenant: 'default', alert: 'alr_1' })

export const KEPT_DAMAGES: readonly Damage[] = [
  entry(
    'an alert that was last met before it was first met',
    by(`update alerts set last_at = first_at - 1 where ${MINE}`),
    ['I2 alert_backwards'],
    ALERT,
  ),
  entry(
    'an alert that somebody knows of, and nobody says who',
    by(`update alerts set acknowledged_by = null where ${MINE}`),
    ['I2 alert_half_acknowledged'],
    ALERT,
  ),
  entry(
    'an alert whose details are gone',
    by(`update alerts set details = 'null' where ${MINE}`),
    ['readable alert'],
    ALERT,
  ),
  entry(
    "an entry of the outbox that is another tenant's action",
    by(({ other }) => `update outbox set action = '${other}' where ${MINE}`),
    ['I11 no_action'],
    ({ other }) => ({ outbox: 'out_1', action: other! }),
  ),
  entry(
    'an entry of the outbox that cannot be read',
    by(`update outbox set entry = 'null' where ${MINE}`),
    ['readable outbox'],
    () => ({ outbox: 'out_1' }),
  ),
  entry(
    'a breaker that is shut, and no worker sees it',
    by(`update limits set shut = not shut where key = 'breaker:held'`),
    ['I7 limit_misfiled'],
    () => ({ limit: 'breaker:held' }),
  ),
  entry(
    'a breaker that is kept as shut, and is not',
    json('limits', 'state', `key = 'breaker:held'`, (state) => ({ ...state, until: 0 })),
    ['I7 limit_misfiled'],
    () => ({ limit: 'breaker:held' }),
  ),
  entry(
    'a limit that cannot be read',
    by(`update limits set state = 'null' where key = 'rate:held'`),
    ['readable limit'],
    () => ({ limit: 'rate:held' }),
  ),
]
