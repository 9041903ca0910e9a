// The oracle: what a schedule means, worked out the slow and plain way. Walks UTC minute by minute, asks Intl what the
// clocks of the zone show, and compares that with the text of the fields. Uses no date library and nothing of src/.

export interface Policy {
  readonly gap: 'shift' | 'skip'
  readonly overlap: 'first' | 'last' | 'both'
}

export interface Span {
  readonly from: number
  readonly to: number
}

const MINUTE = 60_000
const DAY = 1440

const readers = new Map<string, Intl.DateTimeFormat>()

/** Minutes since 1970 that the clocks of a zone show at an instant: "03/29/2026, 01:30". */
export const readWall = (zone: string, instant: number): number => {
  let reader = readers.get(zone)
  if (reader === undefined) {
    const two = '2-digit'
    const shape = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const
    reader = new Intl.DateTimeFormat('en-US', { ...shape, timeZone: zone })
    readers.set(zone, reader)
  }
  const text = reader.format(instant)
  const [month, day, year] = [Number(text.slice(0, 2)), Number(text.slice(3, 5)), Number(text.slice(6, 10))]
  return Date.UTC(year, month - 1, day, Number(text.slice(12, 14)), Number(text.slice(15, 17))) / MINUTE
}

const offsetOf = (zone: string, instant: number): number => readWall(zone, instant) - instant / MINUTE

/** Instants at which the clocks of a zone change, found by looking twice a day and then closing in. */
export const changesOf = (zone: string, { from, to }: Span): readonly number[] => {
  const changes: number[] = []
  const look = (DAY / 2) * MINUTE
  for (let start = from; start < to; start += look) {
    const before = offsetOf(zone, start)
    if (offsetOf(zone, start + look) === before) continue
    let [low, high] = [start / MINUTE, (start + look) / MINUTE]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetOf(zone, middle * MINUTE) === before) low = middle
      else high = middle
    }
    changes.push(high * MINUTE)
  }
  return changes
}

/** A minute a clock could show: the instants at which it does; when it never does, where it is moved to. */
interface Nominal {
  readonly shown: readonly number[]
  readonly movedTo: number
}

export interface Walk {
  readonly span: Span
  /** The first minute that was shown. */
  readonly start: number
  readonly minutes: readonly Nominal[]
}

/** Walks three hours more on either side, so that nothing which moves into the span is missed. */
export const walk = (zone: string, span: Span): Walk => {
  const margin = 180 * MINUTE
  const shown = new Map<number, number[]>()
  for (let instant = span.from - margin; instant < span.to + margin; instant += MINUTE) {
    const wall = readWall(zone, instant)
    shown.set(wall, [...(shown.get(wall) ?? []), instant])
  }
  const start = Math.min(...shown.keys())
  const end = Math.max(...shown.keys())
  const gap = end - start + 1 - shown.size
  const minutes = Array.from({ length: end - start + 1 }, (_, index) => ({
    shown: shown.get(start + index) ?? [],
    movedTo: shown.get(start + index + gap)?.[0] ?? Number.NaN,
  }))
  return { span, start, minutes }
}

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'].map(
      (name, index) => [name, String(index + 1)],
    ),
  ),
  ...Object.fromEntries(
    ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'].map((name, index) => [name, String(index)]),
  ),
}

/** Does one item of a field (`5`, `1-5`, `22-4`, `10-40/5`, a star with or without a step) name the value? */
const itemNames = (item: string, value: number, min: number, max: number): boolean => {
  const [span = '', step] = item.split('/')
  const [low, high] = span === '*' ? [min, max] : span.split('-').map(Number)
  const size = max - min + 1
  const last = high ?? (step === undefined ? low! : max)
  for (let at = low!; ; at = at === max ? min : at + 1) {
    const passed = (at - low! + size) % size
    if (at === value && passed % Number(step ?? 1) === 0) return true
    if (at === last || passed === size - 1) return false
  }
}

const fieldNames = (field: string, value: number, min: number, max: number): boolean =>
  field.split(',').some((item) => itemNames(item, value, min, max))

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly length: number
}

const dayAt = (dayNo: number): Day => {
  const date = new Date(dayNo * DAY * MINUTE)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { year, month, day: date.getUTCDate(), weekday: date.getUTCDay(), length }
}

const monthDayNames = (item: string, { day, weekday, length }: Day): boolean => {
  if (item.endsWith('W')) {
    const aim = item === 'LW' ? length : Number(item.slice(0, -1))
    const weekdays = Array.from({ length }, (_, index) => index + 1).filter(
      (other) => ![0, 6].includes((weekday + other - day + 70) % 7),
    )
    const nearest = weekdays.reduce((best, other) =>
      Math.abs(other - aim) < Math.abs(best - aim) ? other : best,
    )
    return aim <= length && day === nearest
  }
  if (item.startsWith('L')) return day === length - Number(item.slice(2))
  return itemNames(item, day, 1, 31)
}

const weekdayNames = (item: string, { day, weekday, length }: Day): boolean => {
  const [plain = '', nth] = item.split('#')
  if (nth !== undefined) return weekday === Number(plain) % 7 && Math.ceil(day / 7) === Number(nth)
  if (plain.endsWith('L')) return weekday === Number(plain.slice(0, -1)) % 7 && day + 7 > length
  const [span = '', step] = plain.split('/')
  const onlyZeros = span === '0-7' ? '*' : span.replaceAll('7', '0')
  return itemNames(step === undefined ? onlyZeros : `${onlyZeros}/${step}`, weekday, 0, 6)
}

export interface OraclePattern {
  readonly text: string
  readonly everyHour: boolean
  /** Minutes of a day, in order, and seconds of a minute. */
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
  readonly names: (dayNo: number) => boolean
}

const count = (length: number, keep: (value: number) => boolean): readonly number[] =>
  Array.from({ length }, (_, value) => value).filter(keep)

export const readPattern = (text: string): OraclePattern => {
  const plain = text.toUpperCase().replaceAll(/[A-Z]{3}/g, (name) => NAMES[name]!)
  const parts = plain.split(' ')
  const [second, minute, hour, monthDay, month, weekday, year = '*'] =
    parts.length === 5 ? ['0', ...parts] : parts
  const isAny = (field: string): boolean => field === '*' || field === '?'
  const known = new Map<number, boolean>()
  const namesDay = (day: Day): boolean => {
    if (!fieldNames(month!, day.month, 1, 12) || !fieldNames(year, day.year, 1970, 2199)) return false
    const byMonthDay = !isAny(monthDay!) && monthDay!.split(',').some((item) => monthDayNames(item, day))
    const byWeekday = !isAny(weekday!) && weekday!.split(',').some((item) => weekdayNames(item, day))
    return byMonthDay || byWeekday || (isAny(monthDay!) && isAny(weekday!))
  }
  const hours = count(24, (value) => fieldNames(hour!, value, 0, 23))
  const ofHour = count(60, (value) => fieldNames(minute!, value, 0, 59))
  return {
    text,
    everyHour: hours.length === 24,
    minutes: hours.flatMap((value) => ofHour.map((past) => value * 60 + past)),
    seconds: count(60, (value) => fieldNames(second!, value, 0, 59)),
    names: (dayNo) => {
      const names = known.get(dayNo) ?? namesDay(dayAt(dayNo))
      known.set(dayNo, names)
      return names
    },
  }
}

const instantsOf = ({ shown, movedTo }: Nominal, { gap, overlap }: Policy): readonly number[] => {
  if (shown.length === 0) return gap === 'skip' ? [] : [movedTo]
  if (shown.length === 1 || overlap === 'both') return shown
  return overlap === 'first' ? shown.slice(0, 1) : shown.slice(-1)
}

/** Every firing in the span of the walk, in order, each instant once. */
export const firingsIn = (
  { span, start, minutes }: Walk,
  pattern: OraclePattern,
  asked: Policy,
): readonly number[] => {
  const policy: Policy = pattern.everyHour ? { ...asked, overlap: 'both' } : asked
  const found = new Set<number>()
  for (let dayNo = Math.floor(start / DAY); dayNo * DAY < start + minutes.length; dayNo++) {
    if (!pattern.names(dayNo)) continue
    for (const minute of pattern.minutes) {
      const nominal = minutes[dayNo * DAY + minute - start]
      for (const instant of nominal === undefined ? [] : instantsOf(nominal, policy))
        for (const second of pattern.seconds) found.add(instant + second * 1000)
    }
  }
  return [...found].filter((instant) => instant >= span.from && instant < span.to).sort((a, b) => a - b)
}
