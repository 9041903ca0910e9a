// Owns the plain text of a mail whose author gave HTML only. One pass over the HTML, in linear time; it need not be right
// for every page of the web, but readable for a mail: paragraphs, lists, links, and no markup left.

/** Their content is not for reading. */
const SILENT: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'title'])
const LINES: ReadonlySet<string> = new Set(['br', 'div', 'li', 'tr', 'table', 'ul', 'ol', 'section', 'hr'])
const PARAGRAPHS: ReadonlySet<string> = new Set([
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'pre',
])

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', euro: '€' },
  ...{ hellip: '…', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
}

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD'

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })

interface Tag {
  readonly name: string
  readonly isEnd: boolean
  readonly href: string | undefined
}

const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

const readTag = (inside: string): Tag => {
  const [, slash, name = ''] = /^(\/?)([a-z][a-z0-9]*)/i.exec(inside) ?? []
  const [, double, single, bare] = HREF.exec(inside) ?? []
  const href = double ?? single ?? bare
  return {
    name: name.toLowerCase(),
    isEnd: slash === '/',
    href: href === undefined ? undefined : decode(href),
  }
}

const breakAt = ({ name, isEnd }: Tag): string => {
  if (PARAGRAPHS.has(name)) return '\n\n'
  if (name === 'li' && !isEnd) return '\n- '
  if (LINES.has(name)) return '\n'
  return name === 'td' && isEnd ? ' ' : ''
}

/** Where the markup that begins at `start` ends; a comment hides what looks like a tag. */
const endOf = (html: string, start: number): number => {
  const [close, width] = html.startsWith('<!--', start) ? ['-->', 3] : ['>', 1]
  const end = html.indexOf(close, start + 1)
  return end === -1 ? html.length : end + width
}

const isMarkup = (html: string, at: number): boolean =>
  html.charAt(at) === '<' && /[a-z/!?]/i.test(html.charAt(at + 1))

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** What stood between `<a href>` and `</a>`, and the address behind it when it says more. */
const linkEnd = (shown: string, href: string): string =>
  shown.trim() === href || href.startsWith('#') || href === '' ? '' : ` (${href})`

export const textOfHtml = (html: string): string => {
  // Pieces, not one growing text: reading back what a link shows would copy all of it each time.
  const pieces: string[] = []
  let silent: string | undefined
  let link: { readonly href: string; readonly from: number } | undefined

  const onTag = (tag: Tag): void => {
    if (silent !== undefined) {
      if (tag.isEnd && tag.name === silent) silent = undefined
      return
    }
    if (SILENT.has(tag.name) && !tag.isEnd) silent = tag.name
    if (tag.name === 'a' && link !== undefined) {
      pieces.push(linkEnd(pieces.slice(link.from).join(''), link.href))
      link = undefined
    }
    if (tag.name === 'a' && tag.href !== undefined) link = { href: tag.href, from: pieces.length }
    pieces.push(breakAt(tag))
  }

  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at + (isMarkup(html, at) ? 0 : 1))
    const stop = next === -1 ? html.length : next
    if (stop > at && silent === undefined) pieces.push(decode(html.slice(at, stop).replace(/\s+/g, ' ')))
    at = stop
    if (!isMarkup(html, at)) continue
    at = endOf(html, stop)
    onTag(readTag(html.slice(stop + 1, at)))
  }
  return tidy(pieces.join(''))
}
