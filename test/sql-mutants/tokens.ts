// Owns reading SQL as words: enough of it to find clauses, nothing of what they mean. Comments and blanks are passed over;
// a word knows where it stands and how many brackets are around it.

export interface Token {
  /** In lower case, except in quotes. */
  readonly text: string
  readonly from: number
  readonly to: number
  readonly depth: number
}

const WORD =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|::|:[a-z]\w*|\$\d+|[a-z_]\w*|\d+(?:\.\d+)?|<>|<=|>=|\|\||[\s\S]/giy

const isSkipped = (text: string): boolean => /^(?:\s|--|\/\*)/.test(text)

const isQuoted = (text: string): boolean => /^['"$]/.test(text)

export const tokenise = (sql: string): readonly Token[] => {
  const tokens: Token[] = []
  let depth = 0
  for (const { 0: text, index: from } of sql.matchAll(WORD)) {
    if (isSkipped(text)) continue
    if (text === ')') depth -= 1
    tokens.push({ text: isQuoted(text) ? text : text.toLowerCase(), from, to: from + text.length, depth })
    if (text === '(') depth += 1
  }
  return tokens
}
