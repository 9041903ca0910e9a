// How the world writes a value down, by its own encoders and never by ours: what the search must find. Each takes the
// texts around the value too, because an encoder sees the whole.

const wrap = (text: string, width: number, end: string): string =>
  (text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []).join(end)

export type Spelling = (value: string, before: string, after: string) => string

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const json = (text: string): string => JSON.stringify(text)
/** As strict encoders do it: everything but letters and digits. */
const everyPercent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const ascii = (text: string): string =>
  json(text).replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
const html = (text: string): string =>
  text.replaceAll(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '&#39;',
  )

export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  plain: (value, before, after) => before + value + after,
  'plain, folded': (value, before, after) => `${before}${wrap(value, 5, '\r\n  ')}${after}`,
  json: (value, before, after) => json(before + value + after),
  'json, ascii': (value, before, after) => ascii(before + value + after),
  'json, slashes escaped': (value, before, after) => json(before + value + after).replaceAll('/', '\\/'),
  'json in json': (value, before, after) => json(json({ a: before + value + after } as never)),
  'json of json text': (value, before, after) => json(json(before + value + after)),
  'url component': (value, before, after) => encodeURIComponent(before + value + after),
  'url, lower case': (value, before, after) =>
    encodeURIComponent(before + value + after).replaceAll(/%../g, (each) => each.toLowerCase()),
  'url, every byte': (value, before, after) => everyPercent(before + value + after),
  'url, twice': (value, before, after) => encodeURIComponent(encodeURIComponent(before + value + after)),
  'url, as a query': (value, before, after) =>
    new URL(`http://h/?q=${encodeURIComponent(before + value + after)}`).href,
  form: (value, before, after) => new URLSearchParams({ a: before + value + after }).toString(),
  'hex, lower case': (value, before, after) => Buffer.from(before + value + after).toString('hex'),
  'hex, upper case': (value, before, after) =>
    Buffer.from(before + value + after)
      .toString('hex')
      .toUpperCase(),
  base64: (value, before, after) => base64(before + value + after),
  'base64 at offset 0': (value, before, after) => base64(`123${before}${before}${before}${value}${after}`),
  'base64 at offset 1': (value, before, after) => base64(`1${before}${before}${before}${value}${after}`),
  'base64 at offset 2': (value, before, after) => base64(`12${before}${before}${before}${value}${after}`),
  base64url: (value, before, after) => Buffer.from(before + value + after).toString('base64url'),
  'base64, folded': (value, before, after) => wrap(base64(before + value + after), 7, '\n'),
  'base64, folded, in json': (value, before, after) => json(wrap(base64(before + value + after), 7, '\n')),
  'base64 in a url': (value, before, after) => encodeURIComponent(base64(before + value + after)),
  html: (value, before, after) => html(before + value + after),
}
