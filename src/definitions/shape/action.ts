// Owns the shape of an action as F-030 and F-031 write it, inside a machine or in a file of its own.

import { z } from 'zod'
import type { ActionData } from '../../core/definition.ts'
import { actionCore, requestOptions } from './request.ts'
import { flag, name, object, once, text } from './values.ts'

export const action = once(
  () =>
    object('an action with actionId, type and config', {
      actionId: name('the name of the action').describe(
        'Names the action in its machine, in history and in `of`.',
      ),
      ...actionCore(),
      triggerState: name('the name of a state')
        .describe('Entering this state asks for the action.')
        .exactOptional(),
      machine: name('the id of a machine')
        .describe('The machine it belongs to, when it stands in a file of its own.')
        .exactOptional(),
      enabled: flag().describe('false: never asked for. Default true.').exactOptional(),
      schedule: text('a cron expression such as 0 9 * * MON-FRI')
        .describe(
          'A cron expression: the action recurs while in its state, without one from start to end, instead of running on entry.',
        )
        .exactOptional(),
      timezone: text('an IANA time zone such as Europe/London')
        .describe('Whose clock the schedule is read by. Default UTC.')
        .exactOptional(),
      ...requestOptions(),
      description: text('text').describe('For people.').exactOptional(),
      createdAt: text('an instant such as 2026-03-28T09:00:00Z').describe('RFC 3339.').exactOptional(),
      updatedAt: text('an instant such as 2026-03-28T09:00:00Z').describe('RFC 3339.').exactOptional(),
    }).meta({
      id: 'action',
      description: 'An action that entering its triggerState asks for.',
    }) satisfies z.ZodType<ActionData>,
)

/** In a file of its own. */
export const actionFile = once(() =>
  action()
    .extend({
      $schema: text('text').describe('For editors: where this schema is.').exactOptional(),
      kind: z.literal('action', { error: 'action' }).describe('What is defined here.').exactOptional(),
    })
    .meta({ id: 'actionFile', description: 'An action in a file of its own.' }),
)
