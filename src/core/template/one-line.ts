// Owns refusing line breaks and other control characters where a rendered text becomes one line of a protocol: a
// header, a subject, a recipient, a path. Which places those are is the runner's to say.

import { PawlError } from '../errors.ts'

const CONTROL = /\p{Cc}/u

/** `place` names the text in the error; the text itself, which may hold a secret, does not appear. */
export const assertOneLine = (text: string, place: string): void => {
  const offset = text.search(CONTROL)
  if (offset !== -1)
    throw new PawlError('template_value_forbidden', `${place} holds a line break or control character`, {
      path: place,
      offset,
      expected: 'one line of text',
    })
}
