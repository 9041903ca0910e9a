// Owns reading a Markdown page as the docs' laws see it: links outside code, commands inside it, the anchors its
// headings give.

import { lineAt, type SourceFile } from './law.ts'

export interface Found {
  readonly text: string
  readonly line: number
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^ {0,3}\2[^\n]*$/gm

/** The page with its code blanked out, offsets kept. */
const prose = (text: string): string => {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ')
  return text.replace(FENCE, blank).replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, blank)
}

const LINK =
  /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?|\b(?:href|src)=["']([^"']+)["']/gm

export const linksOf = ({ text }: SourceFile): readonly Found[] =>
  [...prose(text).matchAll(LINK)].map((match) => ({
    text: (match[1] ?? match[2] ?? match[3])!,
    line: lineAt(text, match.index),
  }))

/** Lines of fenced blocks, and code inside a line. */
export const codeOf = ({ text }: SourceFile): readonly Found[] => {
  const fenced = [...text.matchAll(FENCE)].flatMap((match) =>
    match[3]!.split('\n').map((line, index) => ({ text: line, line: lineAt(text, match.index) + 1 + index })),
  )
  const inline = [...text.replace(FENCE, (code) => code.replace(/[^\n]/g, ' ')).matchAll(/`([^`\n]+)`/g)]
  return [...fenced, ...inline.map((match) => ({ text: match[1]!, line: lineAt(text, match.index) }))]
}

/** As GitHub makes them: lower case, spaces to dashes, punctuation gone, a number on the second of a name. */
export const anchorsOf = ({ text }: SourceFile): ReadonlySet<string> => {
  const anchors = new Set<string>()
  const unfenced = text.replace(FENCE, '')
  for (const [, heading] of unfenced.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const slug = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  for (const [, id] of unfenced.matchAll(/\b(?:id|name)=["']([^"']+)["']/g)) anchors.add(id!)
  return anchors
}
