// Owns the shape of a recurrence written as data. What its texts mean (cron, zone, durations) is checked in
// check-recurrence.ts.

import { z } from 'zod'
import type { RecurrenceData } from '../../core/triggers/recurrence-data.ts'
import { actionCore, requestOptions } from './request.ts'
import { duration, flag, name, object, once, recordOf, text, textOrNumber, whole, word } from './values.ts'

const action = once(() => {
  const { cancelOnExit: _, dueAt: __, ...options } = requestOptions()
  return object('an action such as { type: email, config: { … } }', {
    ...actionCore(),
    ...options,
    dedupKey: text('text, may hold placeholders')
      .describe('Equal keys are one action for 24 hours; short for dedup.')
      .exactOptional(),
  }).meta({ id: 'recurringAction', description: 'What is done at each occurrence.' })
})

const dst = once(() =>
  object('{ gap, overlap }', {
    gap: word(['shift', 'skip']).describe('A local time that does not exist. Default shift.').exactOptional(),
    overlap: word(['first', 'last', 'both'])
      .describe('A local time that happens twice. Default first.')
      .exactOptional(),
  }).meta({ id: 'dst', description: 'What clock changes do.' }),
)

const recurrence = once(
  () =>
    object('a recurrence', {
      kind: z.literal('recurrence', { error: 'recurrence' }).describe('What is defined here.'),
      id: name('the name of the recurrence').describe('Names the recurrence.'),
      description: text('text').describe('For people.').exactOptional(),
      cron: text('a cron expression such as 0 9 * * MON-FRI').describe(
        'When: five fields, six with seconds first, seven with the year last, or @every 90s.',
      ),
      timezone: text('an IANA time zone such as Europe/London').describe('Whose clock the cron is read by.'),
      action: action(),
      enabled: flag()
        .describe('false: switched off. Left out: as people have switched it, at first on.')
        .exactOptional(),
      misfire: word(['skip', 'latest', 'all']).describe('What was missed. Default skip.').exactOptional(),
      catchUp: word(['none', 'latest', 'all'])
        .describe('Another word for misfire; none is skip.')
        .exactOptional(),
      grace: duration().describe('Late up to here, then missed. Default 1m.').exactOptional(),
      overlap: word(['allow', 'skip', 'cancel_previous'])
        .describe('While an earlier run goes on. Default allow.')
        .exactOptional(),
      dst: dst().exactOptional(),
      jitter: duration().describe('Spreads the starts over this long.').exactOptional(),
      endsAt: textOrNumber('an instant such as 2027-01-01T00:00:00Z, or milliseconds since 1970')
        .describe('Nothing fires at or after it.')
        .exactOptional(),
      maxExecutions: whole(1, 1_000_000_000).describe('Then it ends.').exactOptional(),
      pauseAfterFailures: whole(1, 1_000_000)
        .describe('So many failures in a row switch it off.')
        .exactOptional(),
      labels: recordOf(name('a label'), text('text'), 'texts by name')
        .describe('For programs.')
        .exactOptional(),
    }) satisfies z.ZodType<RecurrenceData>,
)

export const recurrenceFile = once(() =>
  recurrence()
    .extend({
      $schema: text('text').describe('For editors: where this schema is.').exactOptional(),
      kind: word(['recurrence', 'recurring']).describe('What is defined here, in either word.'),
    })
    .meta({ id: 'recurrence', description: 'What happens again and again.' }),
)
