// Owns what a schedule is once read: sets of numbers, no text to interpret any more. Two texts that mean the same
// (`*/15`, `0,15,30,45`) have the same sets. Reading is parse.ts; when it fires is schedule.ts; words.ts says it.

/** One way a day can be meant. A day fires when any rule fits it; no rules at all: every day. */
export type DayRule =
  | { readonly kind: 'day'; readonly day: number }
  /** L is 0 days before the last day, L-3 is 3. */
  | { readonly kind: 'fromEnd'; readonly days: number }
  /** 15W, LW. Never leaves its month. */
  | { readonly kind: 'nearest'; readonly day: number | 'last' }
  /** 0 = Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** FRI#2, FRIL. */
  | { readonly kind: 'nth'; readonly weekday: number; readonly nth: number | 'last' }

/** Local times, named by fields. Every list is sorted, without repeats and not empty, but `days`. */
export interface Fields {
  readonly kind: 'fields'
  readonly text: string
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: readonly DayRule[]
  readonly months: readonly number[]
  /** Absent: every year. */
  readonly years?: readonly number[]
}

/** Elapsed time, the same in every zone. */
export interface Interval {
  readonly kind: 'interval'
  readonly text: string
  readonly everyMs: number
}

export type Cron = Fields | Interval

/** Nothing fires before or after these local years. */
export const FIRST_YEAR = 1970
export const LAST_YEAR = 9999
/** The last year a year field may name: a list of years stays short enough to be searched whole. */
export const LAST_NAMED_YEAR = 2199

/** The hour field leaves no hour out: such a pattern keeps its cadence when an hour happens twice. */
export const isIntervalLike = (fields: Fields): boolean => fields.hours.length === 24
