// Owns how the reasons for waiting are shown.

import type { Why } from '../../engine/why.ts'
import { instantAs } from '../instant.ts'

export const shownWhy = ({ id, status, reasons, eta }: Why) => ({
  id,
  status,
  reasons: reasons.map(({ code, text, until }) => ({ code, text, ...instantAs('until', until) })),
  ...instantAs('eta', eta),
})
