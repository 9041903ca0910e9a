// Owns how a moment is shown: as it is written (RFC 3339), as seconds, or as people say it; in a zone when one is named.

import { PawlError } from '../core/errors.ts'

export type TimeStyle = 'relative' | 'iso' | 'unix'
export type ShowTime = (instant: string | undefined) => string

const inZone = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(new Date(instant))

const assertZone = (zone: string): void => {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
  } catch {
    throw new PawlError('invalid_zone', `“${zone.slice(0, 80)}” is no time zone`, {
      path: '--tz',
      expected: 'an IANA name such as Europe/London',
    })
  }
}

/** As exact as anyone wants it: `42s`, `7m`, `1h 30m`, `12d`. */
const lengthOf = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`
  return `${Math.floor(hours / 24)}d`
}

const relative = (instant: string, now: number): string => {
  const distance = Date.parse(instant) - now
  return distance > 0 ? `in ${lengthOf(distance)}` : `${lengthOf(-distance)} ago`
}

export const createMoments = (style: TimeStyle, zone: string | undefined, now: () => number): ShowTime => {
  if (zone !== undefined) assertZone(zone)
  return (instant) => {
    if (instant === undefined) return ''
    if (style === 'unix') return String(Math.floor(Date.parse(instant) / 1000))
    if (style === 'relative') return relative(instant, now())
    return zone === undefined ? instant : inZone(instant, zone)
  }
}
