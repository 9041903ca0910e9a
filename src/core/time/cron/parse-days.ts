// Owns the two day fields: plain days and weekdays, L, W, # and ?. A restricted field adds its days to the other's
// (day 13 *or* a Friday), so both become one list of rules, sorted and without repeats; no rule means every day.

import type { DayRule } from './cron.ts'
import { itemsOf, MONTH_DAY, readItems, readValue, refusal, WEEKDAY } from './parse-field.ts'

/** As crontabs have it: only a bare wildcard leaves the choice of days to the other field. */
const isAny = (text: string): boolean => text === '*' || text === '?' || text === '*/1'

const monthDayRule = (item: string): DayRule | undefined => {
  if (item === 'L') return { kind: 'fromEnd', days: 0 }
  if (item === 'LW') return { kind: 'nearest', day: 'last' }
  if (item.startsWith('L')) {
    const days = /^L-\d+$/.test(item) ? Number(item.slice(2)) : 0
    if (days >= 1 && days <= 30) return { kind: 'fromEnd', days }
    throw refusal(MONTH_DAY, item, {
      why: 'is not a last day',
      expected: 'L, LW or L-1 to L-30',
      suggestion: 'L',
    })
  }
  if (!item.endsWith('W')) return undefined
  const day = item.slice(0, -1)
  if (/^\d+$/.test(day)) return { kind: 'nearest', day: readValue(MONTH_DAY, day) }
  throw refusal(MONTH_DAY, item, {
    why: 'needs one day before W',
    expected: '1W–31W or LW',
    suggestion: 'LW',
  })
}

const weekdayRule = (item: string): DayRule | undefined => {
  if (item === 'L')
    throw refusal(WEEKDAY, item, {
      why: 'does not say which',
      expected: 'FRIL for the last Friday',
      suggestion: 'SATL',
    })
  const [weekday, nth, ...rest] = item.replace(/([^#])L$/, '$1#L').split('#')
  if (nth === undefined) return undefined
  const named = readValue(WEEKDAY, weekday!) % WEEKDAY.size
  if (rest.length > 0 || !/^[1-5L]$/.test(nth))
    throw refusal(WEEKDAY, item, {
      why: 'counts a week that no month has',
      expected: '#1 to #5, or L for the last',
      suggestion: `${weekday}L`,
    })
  return { kind: 'nth', weekday: named, nth: nth === 'L' ? 'last' : Number(nth) }
}

const monthDayRules = (item: string): readonly DayRule[] => {
  const rule = monthDayRule(item)
  return rule === undefined ? readItems(MONTH_DAY, [item]).map((day) => ({ kind: 'day', day })) : [rule]
}

const weekdayRules = (item: string): readonly DayRule[] => {
  const rule = weekdayRule(item)
  return rule === undefined
    ? readItems(WEEKDAY, [item]).map((weekday) => ({ kind: 'weekday', weekday }))
    : [rule]
}

const keyOf = (rule: DayRule): string =>
  Object.values(rule)
    .map((part) => String(part).padStart(2, '0'))
    .join()

export const readDays = (monthDay: string, weekday: string): readonly DayRule[] => {
  const rules = [
    ...(isAny(monthDay) ? [] : itemsOf(MONTH_DAY, monthDay).flatMap(monthDayRules)),
    ...(isAny(weekday) ? [] : itemsOf(WEEKDAY, weekday).flatMap(weekdayRules)),
  ]
  const byKey = new Map(rules.map((rule) => [keyOf(rule), rule]))
  const unique = [...byKey.keys()].sort().map((key) => byKey.get(key)!)
  const has = (kind: DayRule['kind']): number => unique.filter((rule) => rule.kind === kind).length
  return has('day') === MONTH_DAY.size || has('weekday') === WEEKDAY.size ? [] : unique
}
