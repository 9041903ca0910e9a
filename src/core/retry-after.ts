// Owns the Retry-After header: seconds, or one of the three HTTP dates that RFC 9110 §5.6.7 obliges a reader to take.
// Not Date.parse: it reads a date without a zone in the zone of the machine, and much that is no HTTP date at all.

/** F43: what a provider may ask for at most. */
export const MAX_RETRY_AFTER_MS: number = 24 * 60 * 60 * 1000

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`

const DATES: readonly RegExp[] = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
]

/** RFC 9110: of the years a two-digit one may mean, the last that is at most 50 years ahead. */
const fullYear = (year: number, now: number): number => {
  if (year > 99) return year
  const latest = new Date(now).getUTCFullYear() + 50
  return latest - ((latest - year) % 100)
}

const parseHttpDate = (text: string, now: number): number => {
  const fields = DATES.map((date) => date.exec(text)?.groups).find((groups) => groups !== undefined)
  if (fields === undefined) return Number.NaN
  const field = (name: string): number => Number(fields[name])
  return Date.UTC(
    fullYear(field('year'), now),
    MONTHS.indexOf(fields['month']!) / 3,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  )
}

/** Milliseconds to wait, at most a day; undefined when the header says nothing that can be read. */
export const parseRetryAfter = (header: string, now: number): number | undefined => {
  const text = header.trim()
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text, now) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}
