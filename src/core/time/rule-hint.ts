// Owns the guess behind "did you mean" for time rules: each word put right on its own, then read again. A guess is
// only offered when the reader takes it.

import { nearest } from '../suggest.ts'
import { guessTime } from './time-of-day.ts'

const KEYWORDS: readonly string[] =
  'day days week weeks business hour hours minute minutes second seconds before after on the at'.split(' ')
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    before: 'prior earlier ahead',
    after: 'later following',
    business: 'working',
    hours: 'hrs',
    minutes: 'mins',
    seconds: 'secs',
    weeks: 'wks',
    at: '@',
    the: 'same',
    '': 'to of',
    1: 'one',
    2: 'two',
    3: 'three',
    4: 'four',
    5: 'five',
    6: 'six',
    7: 'seven',
    8: 'eight',
    9: 'nine',
    10: 'ten',
  }).flatMap(([word, others]) => others.split(' ').map((other): [string, string] => [other, word])),
)
const MAX_WORDS = 12

const timeIn = (word: string, previous: string | undefined): string | undefined =>
  previous === 'at' || /[:.]\d|[ap]\.?m\.?$|^noon$|^midnight$/i.test(word) ? guessTime(word) : undefined

/** A word that resembles none stays as it is: it may be a name. */
const repair = (word: string): string => {
  const lower = word.toLowerCase()
  return SYNONYMS.get(lower) ?? nearest(lower, KEYWORDS) ?? word
}

/** An article, or an “at” that nothing follows. */
const isLoose = (word: string, next: string | undefined): boolean =>
  word === '' || (word === 'the' && next !== 'day') || (word === 'at' && next === undefined)

/** Puts every word right but the one at `kept`, which is taken for a name. */
const rewrite = (words: readonly string[], kept: number): string => {
  const fixed: string[] = []
  for (const [index, word] of words.entries()) {
    const time = index === kept ? undefined : timeIn(word, fixed.at(-1))
    if (time !== undefined) fixed.push(...(fixed.at(-1) === 'at' ? [time] : ['at', time]))
    else if (index === kept || /^\d+$/.test(word)) fixed.push(word)
    else fixed.push(repair(word))
  }
  return fixed.filter((word, index) => !isLoose(word, fixed[index + 1])).join(' ')
}

export const suggestWords = (
  text: string,
  readable: (words: string) => string | undefined,
): string | undefined => {
  const words = text
    .replaceAll(/\b(\d+)([a-z]{3,})/gi, '$1 $2')
    .replaceAll(/ (am|pm)\b/gi, '$1')
    .split(' ')
  if (words.length > MAX_WORDS) return undefined
  for (let kept = -1; kept < words.length; kept++) {
    const found = readable(rewrite(words, kept))
    if (found !== undefined) return found
  }
  return undefined
}
