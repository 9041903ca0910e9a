// The oracle of the time tests: what a zone's clock shows, read field by field from Intl.DateTimeFormat.
// It shares nothing with src/core/time and uses no date library: it finds instants by looking, not by arithmetic
// on offsets. Slow on purpose.

export interface Fields {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 0 = Sunday */
  readonly weekday: number
}

export const ALL_ZONES: readonly string[] = Intl.supportedValuesOf('timeZone')

const HOUR = 3_600_000
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

/** What a clock on the wall shows at an instant (years 1000–9999). */
export const fieldsAt = (instant: number, zone: string): Fields => {
  const text = formatOf(zone).format(instant)
  const [month, day, year, hour, minute, second] = text.match(/\d+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { year, month, day, hour, minute, second, weekday: WEEKDAYS.indexOf(text.slice(0, 3)) }
}

/** The clock's reading as if it stood in UTC: two readings compare and subtract as numbers. */
export const wallAt = (instant: number, zone: string): number => {
  const { year, month, day, hour, minute, second } = fieldsAt(instant, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export const wallOf = (date: string, time: string): number =>
  Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`)

/** Differences between wall and UTC seen within 28 hours of a wall time, in the order they were seen. */
const differencesAround = (wall: number, zone: string): readonly number[] => {
  const seen = new Set<number>()
  for (let instant = wall - 28 * HOUR; instant <= wall + 28 * HOUR; instant += 4 * HOUR)
    seen.add(wallAt(instant, zone) - instant)
  return [...seen]
}

/** Every instant at which the clock shows exactly this wall time: none in a gap, two in an overlap. */
export const instantsShowing = (wall: number, zone: string): readonly number[] =>
  differencesAround(wall, zone)
    .map((difference) => wall - difference)
    .filter((instant) => wallAt(instant, zone) === wall)
    .sort((a, b) => a - b)

/** The instant the house rule names: the first showing, or, in a gap, the showing of the time moved by its length. */
export const instantShowing = (wall: number, zone: string): number => {
  const [first] = instantsShowing(wall, zone)
  if (first !== undefined) return first
  const differences = differencesAround(wall, zone)
  const gap = Math.max(...differences) - Math.min(...differences)
  return instantsShowing(wall + gap, zone)[0]!
}

/** Numbers in [0, 1) from a seed (mulberry32), so that a failing sample can be run again. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
