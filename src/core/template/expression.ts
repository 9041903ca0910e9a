// Owns evaluating one placeholder: read the head, pass it through the filters. `default` as the first filter is the
// one thing that makes a missing variable acceptable.

import type { Json } from '../json.ts'
import { bindCall, type Read, readerOf } from './call.ts'
import type { Expression } from './parse.ts'
import { lookup } from './path.ts'

export const compileExpression = (expression: Expression): Read => {
  const { calls, source } = expression
  const steps = calls.map((call) => bindCall(call, source))
  const read = headReader(expression)
  return (run) => {
    let value = read(run)
    for (const step of steps) value = step(value, run)
    return value
  }
}

const headReader = ({ head, calls, source }: Expression): Read => {
  if (head.kind === 'literal' || calls[0]?.filter !== 'default') return readerOf(head, source)
  const { segments } = head
  // What is missing reads as undefined; `default`, which comes next, treats that like null.
  return ({ scope }): Json => lookup(scope, segments) as Json
}
