// Owns how texts and paths are shown to a person in an error: quoted and cut, dotted where a name allows it.

/** What a name may consist of without quotes; parse.ts reads the same. */
export const NAME: RegExp = /[^\s.,:|(){}[\]'"\\]+/y

const MAX_SHOWN = 80

export const quote = (text: string): string =>
  `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`

/** `execution.variables["first name"]`, as it would be written in a placeholder. */
export const written = (segments: readonly string[]): string =>
  segments.map((segment, index) => (isName(segment) ? dotted(segment, index) : bracketed(segment))).join('')

const dotted = (segment: string, index: number): string => (index === 0 ? segment : `.${segment}`)

const bracketed = (segment: string): string => `["${segment.replaceAll(/["\\]/g, '\\$&')}"]`

const WHOLE_NAME = new RegExp(`^${NAME.source}$`)

const isName = (segment: string): boolean => WHOLE_NAME.test(segment)
