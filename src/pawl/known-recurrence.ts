// Owns making recurrences known to the engine: those written in code, each by its own id, and the one definition of all
// that are data.

import type { RequestOptions } from '../core/action.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { decideRecurrence } from '../core/triggers/recurrence.ts'
import { dataRecurrence } from '../core/triggers/recurrence-data.ts'
import type { Recurrence } from '../core/triggers/recurrence-run.ts'
import type { RecurringCode } from '../definitions/recurring.ts'
import type { Known } from '../engine/directory.ts'

/** What actions of a type have unless they say otherwise. */
export type DefaultsOf = (type: string) => RequestOptions | undefined

const knownBy = (recurrence: Recurrence, content: JsonObject): Known => ({
  kind: 'recurrence',
  id: recurrence.id,
  hash: recurrence.hash,
  decide: decideRecurrence(recurrence),
  // Its progress fits any timing.
  adopt: ({ definitionHash }) => (definitionHash === recurrence.hash ? 'same' : 'moved'),
  checkEvent: (_type, payload) => payload as Json,
  content,
})

export const knownRecurring = (code: RecurringCode): Known => knownBy(code, code.content)

/** What actions of a type have unless they say otherwise holds for what recurs, too. */
export const knownData = (defaultsOf: DefaultsOf): Known => ({
  ...knownBy(
    {
      ...dataRecurrence,
      request: (firing, settings) => {
        const request = dataRecurrence.request(firing, settings)!
        return { ...request, options: { ...defaultsOf(request.type), ...request.options } }
      },
    },
    { kind: 'recurrence', id: dataRecurrence.id },
  ),
  isBuiltIn: true,
})
