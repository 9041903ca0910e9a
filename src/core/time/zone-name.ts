// Owns which zone names are taken: IANA names and the aliases the platform knows. Leaves offsets to zone.ts.
// The platform takes more: abbreviations from Java's old list (BST is Dhaka there, not London), bare offsets and
// SystemV names. Those are refused, since they mean another thing to the person who wrote them.

import { PawlError } from '../errors.ts'
import { nearest } from '../suggest.ts'

/** Every IANA name without a slash: the only ones that may look like an abbreviation. */
const PLAIN_NAMES: readonly string[] = [
  'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran',
  'Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK',
  'Singapore Turkey UCT UTC Universal W-SU WET Zulu',
].flatMap((names) => names.split(' '))

/** The place most people mean by an abbreviation. Only ever a suggestion: CST is also China and Cuba. */
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Europe/London': 'BST',
    'Europe/Paris': 'CEST',
    'Europe/Athens': 'EEST',
    'Europe/Lisbon': 'WEST',
    'Europe/Moscow': 'MSK',
    'Asia/Kolkata': 'IST',
    'Asia/Tokyo': 'JST',
    'Asia/Seoul': 'KST',
    'Asia/Singapore': 'SGT',
    'America/New_York': 'EDT ET',
    'America/Chicago': 'CST CDT CT',
    'America/Denver': 'MDT MT',
    'America/Los_Angeles': 'PST PDT PT',
    'America/Anchorage': 'AKST AKDT',
    'Australia/Sydney': 'AEST AEDT',
    'Australia/Adelaide': 'ACST ACDT',
    'Australia/Perth': 'AWST',
    'Pacific/Auckland': 'NZST NZDT',
    UTC: 'Z',
  }).flatMap(([place, words]) => words.split(' ').map((word): [string, string] => [word, place])),
)

const byLowerCase: ReadonlyMap<string, string> = new Map(
  [...Intl.supportedValuesOf('timeZone'), ...PLAIN_NAMES].map((name) => [name.toLowerCase(), name]),
)

const platformKnows = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i

/** Etc/GMT names count westward: +02:00 is Etc/GMT-2. */
const fixedOffset = (sign: string, hours: number): string =>
  hours === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`

const suggestionFor = (name: string): string | undefined => {
  const meant = MEANT.get(name.toUpperCase())
  if (meant !== undefined) return meant
  const words = name.trim().replaceAll(/\s+/g, '_').toLowerCase()
  const tail = `/${words}`
  const place = [...byLowerCase.keys()].find((known) => known === words || known.endsWith(tail))
  return byLowerCase.get(place ?? '') ?? nearest(words, byLowerCase.values())
}

const refusal = (name: string, path: string | undefined): PawlError => {
  const shown = `“${name.slice(0, 80)}”`
  const place = { expected: 'an IANA name such as Europe/London', ...(path === undefined ? {} : { path }) }
  const offset = OFFSET.exec(name)
  if (offset !== null) {
    const fixed = Number(offset[3] ?? 0) === 0 ? fixedOffset(offset[1]!, Number(offset[2])) : undefined
    return new PawlError(
      'invalid_zone',
      `${shown} is an offset, not a time zone: it cannot know when clocks change`,
      { ...place, ...(fixed !== undefined && platformKnows(fixed) ? { suggestion: fixed } : {}) },
    )
  }
  const suggestion = suggestionFor(name)
  const why = /^[a-z]{1,5}$/i.test(name) ? 'is an abbreviation, not a time zone' : 'is not a time zone'
  return new PawlError('invalid_zone', `${shown} ${why}`, {
    ...place,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
}

/** The name as IANA spells it (letter case does not count), or invalid_zone. An alias stays the alias. */
export const assertZone = (name: string, path?: string): string => {
  const known = byLowerCase.get(name.toLowerCase())
  if (known !== undefined) return known
  const isAlias = name.includes('/') && !/^systemv\//i.test(name) && platformKnows(name)
  if (!isAlias) throw refusal(name, path)
  return name
}
