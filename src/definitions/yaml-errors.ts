// Owns what we say when YAML cannot be read. The library says it in terms of its grammar; a person needs to know
// what to type instead.

import type { ErrorCode, YAMLParseError } from 'yaml'
import { quote } from './problem.ts'

interface Wording {
  readonly message: string
  readonly expected: string
}

const UNREADABLE: Wording = {
  message: 'the YAML cannot be read from here on',
  expected: 'key: value lines, equally indented; text with : # { } [ ] , & * ! | > % @ in quotes',
}

const WORDINGS: Partial<Readonly<Record<ErrorCode, Wording>>> = {
  ALIAS_PROPS: { message: 'an alias carries an anchor or tag', expected: 'the alias alone, such as *name' },
  BAD_ALIAS: {
    message: 'the anchor or alias has no usable name',
    expected: '&name or *name, or text in quotes',
  },
  BAD_DQ_ESCAPE: {
    message: 'the text in double quotes holds an unknown escape',
    expected: '\\\\ for a backslash, or single quotes',
  },
  BAD_INDENT: {
    message: 'the line is not indented like its neighbours',
    expected: 'the same number of spaces for all keys of one object',
  },
  BAD_PROP_ORDER: { message: 'the anchor stands in the wrong place', expected: 'key: &name value' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second “key: value” stands on the same line',
    expected: 'one key on a line, or text with a colon in quotes',
  },
  BLOCK_IN_FLOW: {
    message: 'a block stands inside { … } or [ … ]',
    expected: 'commas instead of lines and dashes',
  },
  KEY_OVER_1024_CHARS: { message: 'the key is longer than 1024 characters', expected: 'a shorter key' },
  MISSING_CHAR: {
    message: 'a character is missing here',
    expected: 'a closing quote, bracket or brace, a comma, or a colon and a space after a key',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'this is not a key with its value',
    expected: 'key: value, with a space after the colon',
  },
  MULTIPLE_ANCHORS: { message: 'a value has two anchors', expected: 'one &name' },
  NON_STRING_KEY: { message: 'a key is not text', expected: 'a word, or text in quotes' },
  TAB_AS_INDENT: { message: 'a tab indents this line', expected: 'spaces' },
}

/** Read as an object whose key is an object: the mistake made most often. */
const PLACEHOLDER: Wording = {
  message: 'a placeholder stands without quotes',
  expected: 'quotes around it, such as "{{now}}"',
}

const UNCLOSED: Wording = {
  message: 'a { or [ above is not closed',
  expected: 'a closing } or ], and every line up to it indented',
}

export const yamlWording = ({ code, message, pos: [offset] }: YAMLParseError, text: string): Wording => {
  const found = quote(/\S*/.exec(text.slice(offset, offset + 40))![0])
  if (code === 'NON_STRING_KEY' && text.startsWith('{{', offset - 1)) return PLACEHOLDER
  if (code === 'BAD_INDENT' && message.startsWith('Flow')) return UNCLOSED
  if (code === 'BAD_SCALAR_START')
    return {
      message: `text cannot begin with ${quote(text.slice(offset, offset + 1))}`,
      expected: 'the text in quotes',
    }
  if (code === 'UNEXPECTED_TOKEN')
    return {
      message: `${found} does not belong here`,
      expected: 'key: value lines, equally indented; text that holds quotes or brackets in quotes',
    }
  return WORDINGS[code] ?? UNREADABLE
}
