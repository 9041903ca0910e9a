// Owns writing numbers and amounts as a person reads them, in a locale that is always named: the host's own locale
// must not change what is sent. Decimal texts are written digit by digit, so `"12.10"` loses nothing.

import type { Json } from '../json.ts'
import { memoise } from './memo.ts'

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/

const formatter = memoise((key: string) => {
  const [locale, options] = JSON.parse(key) as [string, Intl.NumberFormatOptions]
  return new Intl.NumberFormat(locale, options)
})

/** Undefined when the value is no number. */
export const writeNumber = (
  value: Json,
  locale: string,
  options: Intl.NumberFormatOptions,
): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value))
    ? formatter(JSON.stringify([locale, options])).format(value as Intl.StringNumericLiteral)
    : undefined

/** A locale the platform lacks would be answered in the host's own. */
export const isLocale = (name: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length === 1
  } catch {
    return false
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => CURRENCIES.has(code)
