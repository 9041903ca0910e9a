// Owns the shape of the options every action request may carry, the same names in TypeScript, JSON and YAML. Ranges
// that core reads itself (durations, policies, windows, conditions) are checked in check-request.ts.

import { z } from 'zod'
import type { RequestData } from '../../core/definition.ts'
import {
  duration,
  flag,
  json,
  jsonObject,
  list,
  name,
  number,
  object,
  once,
  text,
  textOrNumber,
  whole,
  word,
} from './values.ts'

const retryPolicy = once(() =>
  object('a retry policy', {
    maxAttempts: number('a whole number of at least 1')
      .describe('Attempts in all, the first included. Default 3.')
      .exactOptional(),
    maxRetries: number('a whole number of at least 0')
      .describe('Attempts after the first; instead of maxAttempts.')
      .exactOptional(),
    backoffStrategy: word(['fixed', 'linear', 'exponential', 'custom'])
      .describe('How the delay grows from attempt to attempt. Default exponential.')
      .exactOptional(),
    baseDelay: duration().describe('The first delay. Default 1s.').exactOptional(),
    backoffDelay: duration().describe('Another name for baseDelay.').exactOptional(),
    maxDelay: duration().describe('No delay is longer. Default: no cap.').exactOptional(),
    multiplier: number('a number').describe('The growth of exponential delays. Default 2.').exactOptional(),
    jitter: z
      .union([z.boolean(), z.number()], { error: 'true, false or a fraction from 0 to 1' })
      .describe('true: between half and all of the delay. 0.1: ± 10 %. Default false.')
      .exactOptional(),
    retryableErrors: list(text('an error type such as rate_limit'), 'a list of error types')
      .describe('Only these error types are retried.')
      .exactOptional(),
    nonRetryableErrors: list(text('an error type such as not_found'), 'a list of error types')
      .describe('These error types are never retried.')
      .exactOptional(),
  }).meta({ id: 'retryPolicy', description: 'How often and how fast to try again after a failure.' }),
)

const dedup = once(() =>
  object('{ key, for } or { key, while }', {
    key: text('text, may hold placeholders').describe('Equal keys are one action.'),
    for: duration().describe('How long the key is remembered.').exactOptional(),
    while: word(['active']).describe('The key is remembered until the action has ended.').exactOptional(),
  }).meta({ id: 'dedup', description: 'Ask for the same thing twice, get it once.' }),
)

const RATE = /^[1-9]\d{0,8}\/[smhd]$/

const limit = once(() =>
  object('{ key, rate } or { key, concurrency }', {
    key: text('text, may hold placeholders').describe('Actions with equal keys share the limit.'),
    rate: text('a rate such as 10/s, 100/m, 1000/h or 5/d')
      .regex(RATE, { error: 'a rate such as 10/s, 100/m, 1000/h or 5/d' })
      .describe('At most this many starts in a second, minute, hour or day.')
      .exactOptional(),
    concurrency: whole(1, 1_000_000).describe('At most this many at a time.').exactOptional(),
    onFull: word(['wait', 'drop', 'cancel_oldest'])
      .describe('What becomes of an action beyond the limit. Default wait.')
      .exactOptional(),
  }).meta({ id: 'limit', description: 'How many, and how many at once.' }),
)

export const requestOptions = once(() => ({
  name: name('a name').describe('The name of the action. Default: its type.').exactOptional(),
  summary: text('text').describe('One line for people; may hold placeholders.').exactOptional(),
  delay: duration().describe('Due this long after it is asked for.').exactOptional(),
  dueAt: textOrNumber('an instant such as 2026-03-28T09:00:00Z, or milliseconds since 1970')
    .describe('Due at this instant; instead of delay.')
    .exactOptional(),
  priority: whole(0, 100, ', higher first').describe('0 to 100, higher first. Default 50.').exactOptional(),
  retryPolicy: retryPolicy().exactOptional(),
  timeout: duration().describe('How long one attempt may take. Default 30s.').exactOptional(),
  delivery: word(['at_least_once', 'at_most_once', 'reconcile'])
    .describe('What happens when the outcome of an attempt is not known.')
    .exactOptional(),
  dedup: dedup().exactOptional(),
  limit: limit().exactOptional(),
  window: z
    .union([z.string(), jsonObject('a window')], {
      error: 'the name of a calendar, or { timezone, weekdays, from, to }',
    })
    .describe('When it may be done: a named calendar, or { timezone, weekdays, from, to, holidays, closed }.')
    .exactOptional(),
  expiresAfter: duration().describe('How long after its due time it is still worth doing.').exactOptional(),
  condition: json('JSONLogic')
    .describe('JSONLogic over execution, variables and event; false: skipped.')
    .exactOptional(),
  cancelOnExit: flag().describe('Cancelled when the state is left before it ran.').exactOptional(),
  runner: name('the name of a runner').describe('Only this runner may do it.').exactOptional(),
  tags: list(name('a tag'), 'a list of tags').describe('Words to find it by.').exactOptional(),
  metadata: jsonObject('an object').describe('Data of your own, kept with the action.').exactOptional(),
}))

export const actionCore = once(() => ({
  type: name('the type of a runner, such as email').describe(
    'Which runner performs it: email, sms, webhook …',
  ),
  config: json('the configuration of its runner').describe(
    'The configuration of its runner; may hold placeholders.',
  ),
}))

export const request = once(
  () =>
    object('an action such as { type: email, config: { … } }', { ...actionCore(), ...requestOptions() }).meta(
      {
        id: 'request',
        description: 'An action asked for when the state is entered.',
      },
    ) satisfies z.ZodType<RequestData>,
)
