// Owns finding the delivery window of an action: written in its plan, or a calendar of the config by name. Whether it is
// open is core's to say.

import type { ActionPlan } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import type { DeliveryWindow } from '../core/time/window.ts'

export type WindowOf = (plan: ActionPlan) => DeliveryWindow | undefined

/** A name nobody has configured holds nothing back silently: the attempt fails and says so. */
export const windowsOf =
  (calendars: ReadonlyMap<string, DeliveryWindow>): WindowOf =>
  ({ window }) => {
    if (typeof window !== 'string') return window
    const found = calendars.get(window)
    if (found !== undefined) return found
    throw new PawlError('invalid_window', `there is no calendar “${window.slice(0, 80)}”`, {
      path: 'window',
      expected: calendars.size === 0 ? 'a calendar in the config' : [...calendars.keys()].join(', '),
    })
  }
