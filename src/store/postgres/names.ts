// Owns that what is written has a name (B17: an empty one once matched a month of rows). It is asked here and not by the
// tables that every step writes: a check of theirs costs the server more than the row.

import { PawlError } from '../../core/errors.ts'
import type { Tenancy } from '../store.ts'

export const assertNamed = ({ namespace, tenant }: Tenancy, id: string, path: string): void => {
  if (id !== '' && namespace !== '' && tenant !== '') return
  throw new PawlError('commit_refused', 'what has no name, or is nobody’s, cannot be stored', {
    path,
    expected: 'a namespace, a tenant and an id that are not empty',
  })
}
