// Owns the text layer of iCalendar (RFC 5545): folded lines, names, parameters, and components inside components.
// Yields the events; what an event means is ical-holidays.ts's business. A line that cannot be read is named.

import { PawlError } from '../errors.ts'

const MAX_TEXT = 1_048_576

export interface Line {
  readonly number: number
  readonly name: string
  /** Upper-case, as written: `;VALUE=DATE`. */
  readonly parameters: string
  readonly value: string
}

/** Its date-bearing properties by name; the first line is where it begins. */
export interface CalendarEvent {
  readonly number: number
  readonly properties: ReadonlyMap<string, Line>
}

const CONTENT = /^([A-Z0-9-]+)((?:;(?:[^";:]|"[^"]*")*)*):(.*)$/i
/** What decides the days of an event. Everything else (SUMMARY, UID, X-…) says nothing about them. */
const DECISIVE = new Set([
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'STATUS'],
  ...['RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID'],
])
/** Where each component may stand; a zone and an alarm may, but are not read. */
const PARENT: ReadonlyMap<string, string> = new Map([
  ['VCALENDAR', ''],
  ['VEVENT', 'VCALENDAR'],
  ['VTIMEZONE', 'VCALENDAR'],
  ['STANDARD', 'VTIMEZONE'],
  ['DAYLIGHT', 'VTIMEZONE'],
  ['VALARM', 'VEVENT'],
])

export const lineError = (number: number, message: string, path: string, expected?: string): PawlError =>
  new PawlError('invalid_window', `line ${number} of the calendar: ${message}`, {
    path,
    line: number,
    ...(expected === undefined ? {} : { expected }),
  })

const unfold = (text: string, path: string): readonly Line[] => {
  const whole: { number: number; text: string }[] = []
  for (const [index, physical] of text.split(/\r?\n/).entries()) {
    const previous = whole.at(-1)
    if (previous !== undefined && /^[ \t]/.test(physical)) previous.text += physical.slice(1)
    else whole.push({ number: index + 1, text: physical })
  }
  return whole
    .filter((line) => line.text !== '')
    .map((line) => {
      const match = CONTENT.exec(line.text)
      if (match === null)
        throw lineError(line.number, `“${line.text.slice(0, 80)}” is not a property`, path, 'NAME:value')
      const [, name, parameters, value] = match
      return {
        number: line.number,
        name: name!.toUpperCase(),
        parameters: parameters!.toUpperCase(),
        value: value!.trim(),
      }
    })
}

export const parseEvents = (text: string, path: string): readonly CalendarEvent[] => {
  if (text.length > MAX_TEXT)
    throw new PawlError('invalid_window', `the calendar is ${text.length} characters long`, {
      path,
      expected: `at most ${MAX_TEXT}`,
    })
  const open: Line[] = []
  const events: CalendarEvent[] = []
  let properties = new Map<string, Line>()
  for (const line of unfold(text, path)) {
    const inside = open.at(-1)?.value ?? ''
    if (line.name === 'BEGIN') {
      if (PARENT.get(line.value) !== inside)
        throw lineError(
          line.number,
          `“${line.value.slice(0, 80)}” cannot stand here`,
          path,
          'VEVENT in VCALENDAR',
        )
      open.push(line)
      if (line.value === 'VEVENT') properties = new Map()
    } else if (line.name === 'END') {
      if (inside === '' || line.value !== inside)
        throw lineError(line.number, `“END:${line.value.slice(0, 80)}” closes nothing`, path)
      if (inside === 'VEVENT') events.push({ number: open.at(-1)!.number, properties })
      open.pop()
    } else if (inside === '') {
      throw lineError(line.number, `“${line.name}” stands outside a calendar`, path, 'BEGIN:VCALENDAR')
    } else if (inside === 'VEVENT' && DECISIVE.has(line.name)) {
      if (properties.has(line.name)) throw lineError(line.number, `${line.name} is given twice`, path)
      properties.set(line.name, line)
    }
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined)
    throw lineError(unclosed.number, `“BEGIN:${unclosed.value}” is never closed`, path)
  return events
}
