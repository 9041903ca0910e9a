// Owns the filter grammar, the same in the URL, the console and the command line: `status:dead type:email`, each field
// once, a value with spaces in double quotes. Which fields there are is the list's to say; no other is looked at (S52).

import { PawlError } from '../core/errors.ts'
import { nearest } from '../core/suggest.ts'

export type FilterFields = Readonly<Record<string, readonly string[] | 'text'>>

const TERM = /\s*([A-Za-z]{1,40}):(?:"([^"]{1,300})"|([^\s"]{1,300}))(?=\s|$)/y
const MAX_LENGTH = 1000

const refused = (message: string, expected: string, suggestion?: string): PawlError =>
  new PawlError('input_invalid', message, {
    path: 'filter',
    expected,
    ...(suggestion !== undefined && { suggestion }),
  })

function* termsOf(text: string): Generator<readonly [field: string, value: string]> {
  TERM.lastIndex = 0
  while (text.slice(TERM.lastIndex).trim() !== '') {
    const at = TERM.lastIndex
    const term = TERM.exec(text)
    if (term === null)
      throw refused(
        `“${text.slice(at, at + 80).trim()}” is no term of a filter`,
        'field:value, such as status:dead',
      )
    yield [term[1]!, term[2] ?? term[3]!]
  }
}

export const parseFilter = <Fields extends FilterFields>(
  text: string | undefined,
  fields: Fields,
): { readonly [Field in keyof Fields]?: string } => {
  const found = new Map<string, string>()
  if ((text ?? '').length > MAX_LENGTH)
    throw refused('the filter is too long', `at most ${MAX_LENGTH} characters`)
  const names = Object.keys(fields)
  for (const [field, value] of termsOf(text ?? '')) {
    const allowed = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (allowed === undefined)
      throw refused(`there is no filter by “${field}” here`, names.join(', '), nearest(field, names))
    if (found.has(field)) throw refused(`“${field}” stands there twice`, 'each field once')
    if (allowed !== 'text' && !allowed.includes(value))
      throw refused(`“${value.slice(0, 80)}” is no ${field}`, allowed.join(', '), nearest(value, allowed))
    found.set(field, value)
  }
  return Object.fromEntries(found) as { readonly [Field in keyof Fields]?: string }
}
