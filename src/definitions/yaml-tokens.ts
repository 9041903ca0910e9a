// Owns the first half of reading YAML: text to tokens, within bounds, before anything that recurses sees them (a
// megabyte of “[” overflows the library's stack; a million stray commas make it write a million errors). Directives end
// here: they change what the same text means.

import { CST, Lexer, Parser } from 'yaml'
import { MAX_JSON_DEPTH } from '../core/json.ts'
import type { Budget } from './limits.ts'
import { quote } from './problem.ts'

/** Ten thousand keys, generously spaced, take seventy thousand. */
const MAX_LEXEMES = 100_000

export const yamlTokens = (text: string, budget: Budget): readonly CST.Token[] => {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let lexemes = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && CST.tokenType(lexeme) === 'directive-line')
      budget.stop(
        [],
        parser.offset,
        `${quote(lexeme)} changes how YAML is read`,
        'the file without this line',
      )
    if (!isScalar && isUnclosed(lexeme))
      budget.stop([], parser.offset, 'the text in quotes never ends', `a closing ${lexeme[0]}`)
    tokens.push(...parser.next(lexeme))
    if (++lexemes > MAX_LEXEMES)
      budget.stop([], parser.offset, 'the text has too many parts', 'a smaller definition')
    if (depthOf(parser.stack) > MAX_JSON_DEPTH)
      budget.stop(
        [],
        parser.offset,
        `this is nested more than ${MAX_JSON_DEPTH} levels deep`,
        'a flatter definition',
      )
    isScalar = lexeme === CST.SCALAR
  }
  return [...tokens, ...parser.end()]
}

/** The lexer runs to the end of the file and would have us look for the mistake there. */
const isUnclosed = (lexeme: string): boolean =>
  /^["']/.test(lexeme) && (lexeme.length === 1 || !lexeme.endsWith(lexeme[0]!))

const depthOf = (stack: readonly CST.Token[]): number =>
  stack.length > MAX_JSON_DEPTH ? stack.filter((token) => CST.isCollection(token)).length : 0
