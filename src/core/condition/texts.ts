// Owns cat, substr and in. Texts burn by their length, also the one that is made.

import type { Json } from '../json.ts'
import { burn, burnCharacters, failed, type Operator, type Site } from './rule.ts'
import { onValues } from './values.ts'

/** Looking for aaa…baaa… in aaaa… compares every pair: a needle of 64 Ki in 256 Ki took 2.8 s. */
const COMPARISONS_PER_STEP = 1024

const textOf = (value: Json, site: Site): string => {
  if (typeof value === 'object' && value !== null)
    throw failed(site, 'cannot use this value', 'texts and numbers')
  return String(value ?? '')
}

const cat: Operator = onValues((values, point, site) => {
  burn(point, values.length)
  let text = ''
  for (const value of values) {
    const piece = textOf(value, site)
    burnCharacters(point, piece)
    text += piece
  }
  return text
})

/** [text, from, length]: a negative `from` counts from the end, a negative length leaves that many off the end. */
const substr: Operator = onValues(([value = null, from = 0, length], point, site) => {
  const text = textOf(value, site)
  burnCharacters(point, text)
  if (typeof from !== 'number' || (length !== undefined && typeof length !== 'number'))
    throw failed(site, 'cannot cut here', 'a text, then one or two numbers')
  return text.slice(from).slice(0, length)
})

/** [part, list or text]. Nothing contains nothing, and no text contains an object. */
const within: Operator = onValues(([part = null, whole = null], point, site) => {
  if (!whole) return false
  if (!Array.isArray(whole) && typeof whole !== 'string')
    throw failed(site, 'cannot look into this value', 'a list or a text')
  const weight = typeof part === 'string' ? part.length : 1
  burn(point, Math.floor((whole.length * weight) / COMPARISONS_PER_STEP))
  if (Array.isArray(whole)) return whole.includes(part)
  return typeof part !== 'object' && whole.includes(String(part))
})

export const TEXTS: Readonly<Record<string, Operator>> = { cat, substr, in: within }
