// Owns what can be taken out of a statement: each condition of each WHERE and ON, each lock, each order, each conflict
// clause. Found by reading, none is chosen by hand. What is left is meant to be valid SQL that says something else.

import { type Token, tokenise } from './tokens.ts'

export interface Cut {
  readonly what: string
  readonly from: number
  readonly to: number
  /** What stands there instead. */
  readonly instead: string
}

type Span = readonly Token[]

/** Words that end a condition at its own depth. */
const ENDS = new Set(
  'group order limit offset for returning union having join left cross inner where window set do on ; from'.split(
    ' ',
  ),
)

const SHOWN = 90

const textOf = (sql: string, span: Span): string =>
  sql.slice(span[0]!.from, span.at(-1)!.to).replace(/\s+/g, ' ')

const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text)

const cut = (sql: string, span: Span, instead: string, verb: string): Cut => ({
  what: `${shown(textOf(sql, span))} ${verb}`,
  from: span[0]!.from,
  to: span.at(-1)!.to,
  instead,
})

/** From `start` while the depth is the same or deeper and none of these words ends it. */
const spanFrom = (tokens: Span, start: number, ends: ReadonlySet<string>): Span => {
  const { depth } = tokens[start]!
  const length = tokens
    .slice(start)
    .findIndex((token) => token.depth < depth || (token.depth === depth && ends.has(token.text)))
  return tokens.slice(start, length === -1 ? undefined : start + length)
}

/** The parts between `and`, or between `or`, at the depth of the first word; those of BETWEEN and CASE do not count. */
const partsOf = (span: Span, word: 'and' | 'or'): readonly Span[] => {
  const parts: Token[][] = [[]]
  let cases = 0
  let isBetween = false
  for (const token of span) {
    const isHere = token.depth === span[0]!.depth
    if (isHere && token.text === 'case') cases += 1
    if (isHere && token.text === 'end') cases -= 1
    if (isHere && token.text === word && cases === 0 && !isBetween) {
      parts.push([])
      continue
    }
    if (isHere && token.text === 'and') isBetween = false
    if (isHere && token.text === 'between') isBetween = true
    parts.at(-1)!.push(token)
  }
  return parts
}

/** The inside of a condition in brackets, unless it is a query or a row of values. */
const insideOf = (span: Span): Span | undefined => {
  const [first, second] = span
  const isWrapped =
    first?.text === '(' &&
    span.findIndex(({ text, depth }) => text === ')' && depth === first.depth) === span.length - 1
  return isWrapped && second !== undefined && second.text !== 'select' ? span.slice(1, -1) : undefined
}

const conditionCuts = (sql: string, span: Span): readonly Cut[] => {
  const arms = partsOf(span, 'or')
  const dropped = arms.length > 1 ? arms.map((arm) => cut(sql, arm, 'false', 'never')) : []
  const conjuncts = arms.flatMap((arm) => {
    const parts = partsOf(arm, 'and')
    return parts.flatMap((part) => {
      const inside = insideOf(part)
      const whole = arms.length > 1 && parts.length === 1 ? [] : [cut(sql, part, 'true', 'dropped')]
      return inside === undefined ? whole : [...whole, ...conditionCuts(sql, inside)]
    })
  })
  return [...dropped, ...conjuncts]
}

const conditionsOf = (sql: string, tokens: Span): readonly Cut[] =>
  tokens.flatMap(({ text }, at) => {
    const next = tokens[at + 1]
    const isCondition = text === 'where' || (text === 'on' && next?.text !== 'conflict')
    return isCondition && next !== undefined && next.text !== 'true'
      ? conditionCuts(sql, spanFrom(tokens, at + 1, ENDS))
      : []
  })

const LOCK_WORDS = new Set(['for', 'update', 'of', 'skip', 'locked'])

const locksOf = (sql: string, tokens: Span): readonly Cut[] =>
  tokens.flatMap(({ text }, at) => {
    if (text !== 'for' || tokens[at + 1]?.text !== 'update') return []
    const isOf = tokens[at + 2]?.text === 'of'
    const rest = tokens.slice(at)
    const length = rest.findIndex((token, n) => !(LOCK_WORDS.has(token.text) || (isOf && n === 3)))
    const span = rest.slice(0, length === -1 ? undefined : length)
    const skip = span.findIndex((token) => token.text === 'skip')
    const whole = cut(sql, span, '', 'dropped')
    return skip === -1 ? [whole] : [whole, cut(sql, span.slice(skip), '', 'dropped')]
  })

const ORDER_ENDS = new Set(['limit', 'offset', 'for', 'returning', 'union', 'on', ';'])

/** The commas of its own depth part the terms. */
const termsOf = (span: Span): readonly Span[] =>
  span.reduce<Token[][]>(
    (terms, token) => {
      if (token.text === ',' && token.depth === span[0]!.depth) terms.push([])
      else terms.at(-1)!.push(token)
      return terms
    },
    [[]],
  )

const reversed = (sql: string, term: Span): string =>
  term.at(-1)!.text === 'desc' ? textOf(sql, term.slice(0, -1)) : `${textOf(sql, term)} desc`

/** Where rows are locked, any order; elsewhere each term the other way round. */
const ordersOf = (sql: string, tokens: Span): readonly Cut[] =>
  tokens.flatMap(({ text }, at) => {
    if (text !== 'order' || tokens[at + 1]?.text !== 'by') return []
    const span = spanFrom(tokens, at + 2, ORDER_ENDS)
    const isLock = sql.includes('for update')
    const terms = termsOf(span).map((term) => cut(sql, term, reversed(sql, term), 'reversed'))
    return isLock ? [...terms, cut(sql, span, 'random()', 'unordered')] : terms
  })

const CONFLICT_ENDS = new Set(['returning', ';'])

const conflictsOf = (sql: string, tokens: Span): readonly Cut[] =>
  tokens.flatMap(({ text }, at) =>
    text === 'on' && tokens[at + 1]?.text === 'conflict'
      ? [cut(sql, spanFrom(tokens, at, CONFLICT_ENDS), '', 'dropped')]
      : [],
  )

export const cutsOf = (sql: string): readonly Cut[] => {
  const tokens = tokenise(sql)
  return [
    ...conditionsOf(sql, tokens),
    ...locksOf(sql, tokens),
    ...ordersOf(sql, tokens),
    ...conflictsOf(sql, tokens),
  ]
}

/** B17: what keeps a name from being empty. */
export const nameCutsOf = (sql: string): readonly Cut[] => {
  const tokens = tokenise(sql)
  return tokens.flatMap(({ text }, at) => {
    const span = tokens.slice(at, at + 6)
    if (text !== 'check' || span[3]?.text !== '<>' || span[4]?.text !== "''") return []
    const table = tokens.slice(0, at).findLastIndex((token) => token.text === 'table') + 1
    const name = tokens[tokens[table + 1]?.text === '.' ? table + 2 : table]!.text
    return [cut(sql, span, '', `of ${name} dropped`)]
  })
}

/** `unique` before an index or a list of columns, and `primary key` of a table or a column, with the comma before it. */
export const schemaCutsOf = (sql: string): readonly Cut[] => {
  const tokens = tokenise(sql)
  const table = (at: number): string => {
    const name = tokens.slice(0, at).findLastIndex(({ text }) => text === 'table') + 1
    return tokens[tokens[name + 1]?.text === '.' ? name + 2 : name]!.text
  }
  return tokens.flatMap(({ text, depth }, at) => {
    const next = tokens[at + 1]
    if (text === 'unique' && next?.text === 'index') {
      const what = `unique of ${tokens[at + 2]!.text} dropped`
      return [{ ...cut(sql, [tokens[at]!], '', ''), what }]
    }
    if (text !== 'unique' && !(text === 'primary' && next?.text === 'key')) return []
    const columns = tokens.slice(at).findIndex((token) => token.text === '(')
    const isList = columns !== -1 && columns <= 2
    const end = isList
      ? at + tokens.slice(at).findIndex((token) => token.text === ')' && token.depth === depth)
      : at + (text === 'unique' ? 0 : tokens[at + 2]?.text === 'autoincrement' ? 2 : 1)
    const hasComma = isList && tokens[at - 1]?.text === ','
    const span = tokens.slice(at, end + 1)
    const { to } = span.at(-1)!
    const from = hasComma ? tokens[at - 1]!.from : span[0]!.from
    return [{ what: `${textOf(sql, span)} of ${table(at)} dropped`, from, to, instead: '' }]
  })
}
