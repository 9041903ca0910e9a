// Owns walking through JSON text: where we stand, what stands there, text in quotes, and how a refusal is worded.
// What the pieces mean is read-json.ts.

import { nearest } from '../core/suggest.ts'
import type { Budget } from './limits.ts'
import { type Path, quote } from './problem.ts'

const SPACE = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
/** Enough of a text in quotes to recognise it. */
const QUOTED = /"[^"\n]{0,40}"?/y
const WORD = /[^\s,:[\]{}"]+/y

const LITERALS = ['true', 'false', 'null']

export interface Cursor {
  readonly offset: () => number
  readonly skip: (length: number) => void
  /** The character here, after spaces; empty at the end. */
  readonly peek: () => string
  /** Steps over a character if it is the one here. */
  readonly take: (char: string) => boolean
  readonly match: (pattern: RegExp) => RegExpExecArray | null
  readonly word: () => string
  readonly quoted: (at: Path) => string
  readonly unexpected: (at: Path, expected: string) => never
}

export const createCursor = (text: string, budget: Budget): Cursor => {
  let offset = text.startsWith('\uFEFF') ? 1 : 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset
    return pattern.exec(text)
  }
  const word = (): string => match(WORD)?.[0] ?? ''
  const peek = (): string => {
    offset += match(SPACE)![0].length
    return text[offset] ?? ''
  }
  return {
    offset: () => offset,
    skip: (length) => {
      offset += length
    },
    peek,
    take: (char) => {
      const isHere = peek() === char
      if (isHere) offset++
      return isHere
    },
    match,
    word,
    quoted: (at) => {
      const start = offset
      offset = endOfQuoted(text, start, at, budget)
      return JSON.parse(text.slice(start, offset))
    },
    unexpected: (at, expected) => {
      const found = peek() && (word() || (match(QUOTED)?.[0] ?? peek()))
      if (found === '') return budget.stop(at, offset, 'the text ends too early', expected)
      if (/^(?:\/\/|\/\*|#)/.test(found))
        return budget.stop(at, offset, 'JSON has no comments', `${expected} (YAML has comments)`)
      const suggestion = nearest(found, LITERALS)
      return budget.stop(at, offset, `${quote(found)} cannot stand here`, expected, suggestion)
    },
  }
}

/** A loop, not one pattern: a pattern's memory grows with the text it matches. */
const endOfQuoted = (text: string, start: number, at: Path, budget: Budget): number => {
  let offset = start + 1
  for (;;) {
    const char = text[offset]
    if (char === undefined) return budget.stop(at, start, 'the text in quotes never ends', 'a closing "')
    if (char === '"') return offset + 1
    if (char < ' ')
      return budget.stop(
        at,
        offset,
        'a line break or control character stands in quotes',
        '\\n, \\t or \\u00…',
      )
    if (char === '\\') {
      ESCAPE.lastIndex = offset
      const escaped = ESCAPE.exec(text)
      if (!escaped)
        return budget.stop(
          at,
          offset,
          `${quote(text.slice(offset, offset + 2))} is not an escape`,
          '\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits',
        )
      offset += escaped[0].length
    } else offset++
  }
}
