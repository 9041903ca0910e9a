// Owns what a rule comes to for one execution: an instant, a wait for something not known yet, or nothing at all
// because its local time does not exist and the policy says skip. Same inputs, same answer, on every host.

import { own } from '../json.ts'
import type { BusinessCalendar } from './business-days.ts'
import { instantsOn, localOn, shiftDay } from './calendar.ts'
import { DAY_MS } from './civil.ts'
import { type Day, parseDate, printDate } from './date.ts'
import type { Dst } from './dst.ts'
import type { Rule } from './rule.ts'
import { parseTime } from './time-of-day.ts'
import { type LocalDateTime, offsetAt } from './zone.ts'

export interface RuleContext {
  /** Calendar dates by name, YYYY-MM-DD; a date not known yet is absent. */
  readonly anchors: Readonly<Record<string, string>>
  /** The date meant by a rule that names none. */
  readonly anchor: string
  /** When each step went out. */
  readonly steps: Readonly<Record<string, number>>
  readonly zone: string
  /** A step goes out once: overlap `both` is read as `first`. */
  readonly dst: Dst
  readonly business?: BusinessCalendar
}

export type RuleMoment =
  /** `nominal` is the local time the rule names, before any clock change moved it; elapsed rules name none. */
  | { readonly kind: 'at'; readonly at: number; readonly nominal?: LocalDateTime }
  | { readonly kind: 'waiting'; readonly on: string }
  | { readonly kind: 'skipped'; readonly reason: string }

/** A date by that name, else the local date on which a step by that name went out. */
const dayNamed = (name: string, context: RuleContext): Day | undefined => {
  const date = own(context.anchors, name)
  if (typeof date === 'string') return parseDate(date, name)
  const wentOut = own(context.steps, name)
  if (typeof wentOut !== 'number') return undefined
  return Math.floor((wentOut + offsetAt(wentOut, context.zone)) / DAY_MS)
}

export const instantOf = (rule: Rule, context: RuleContext): RuleMoment => {
  if (rule.kind === 'elapsed') {
    const wentOut = own(context.steps, rule.step)
    return typeof wentOut === 'number'
      ? { kind: 'at', at: wentOut + rule.ms }
      : { kind: 'waiting', on: rule.step }
  }
  const name = rule.anchor ?? context.anchor
  const from = dayNamed(name, context)
  if (from === undefined) return { kind: 'waiting', on: name }
  const day =
    rule.kind === 'on'
      ? from
      : shiftDay(from, rule.direction === 'before' ? -rule.count : rule.count, rule.unit, context.business)
  const ofDay = parseTime(rule.time)
  const [at] = instantsOn(day, ofDay, context.zone, context.dst)
  if (at === undefined)
    return { kind: 'skipped', reason: `${printDate(day)} has no ${rule.time} in ${context.zone}` }
  return { kind: 'at', at, nominal: localOn(day, ofDay) }
}
