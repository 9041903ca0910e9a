// Owns applying one filter: its name, the number and kinds of its arguments are checked when the template is
// compiled, the value when it is rendered. Errors name the placeholder and the filter, never a value.

import { PawlError } from '../errors.ts'
import { isObject, type Json } from '../json.ts'
import { nearest } from '../suggest.ts'
import { FILTERS, type Filter } from './filters.ts'
import { type Meter, toil } from './meter.ts'
import type { Param } from './params.ts'
import type { Call, Operand } from './parse.ts'
import { lookup, unknownVariable } from './path.ts'
import type { Scope } from './scope.ts'
import { quote } from './shown.ts'

export interface Run extends Meter {
  readonly scope: Scope
}
export type Read = (run: Run) => Json
export type Step = (value: Json, run: Run) => Json

export const readerOf = (operand: Operand, source: string): Read => {
  if (operand.kind === 'literal') return () => operand.value
  const { segments } = operand
  return ({ scope, place }) => {
    const value = lookup(scope, segments)
    if (value === undefined) throw unknownVariable({ source, place, segments }, scope)
    return value
  }
}

export const bindCall = (call: Call, source: string): Step => {
  const filter = filterOf(call, source)
  const params = paramsOf(filter, call, source)
  const readers = call.args.map((arg, index) => argumentReader(call, arg, params[index]!, source))
  return (value, run) => {
    toil(run, weightOf(value))
    const args = readers.map((read) => read(run))
    const result = filter.apply(value, args, run)
    if (result === undefined)
      throw forbidden(run, source, `${call.filter} cannot use this value`, filter.takes)
    return result
  }
}

const filterOf = (call: Call, source: string): Filter => {
  const filter = FILTERS.get(call.filter)
  if (filter !== undefined) return filter
  throw invalid(call, source, `there is no filter ${quote(call.filter)}`, {
    expected: `one of ${[...FILTERS.keys()].join(', ')}`,
    suggestion: nearest(call.filter, FILTERS.keys()),
  })
}

const paramsOf = ({ params, optional = [] }: Filter, call: Call, source: string): readonly Param[] => {
  const all = [...params, ...optional]
  const given = call.args.length
  if (given < params.length || given > all.length)
    throw invalid(call, source, `${call.filter} is given ${given} argument(s)`, {
      expected: [...new Set([params.length, all.length])].join(' to '),
    })
  return all
}

const argumentReader = (call: Call, arg: Operand, param: Param, source: string): Read => {
  const read = readerOf(arg, source)
  const what = `${call.filter} cannot use this argument`
  if (arg.kind === 'literal') {
    if (!param.accepts(arg.value))
      throw invalid(call, source, what, { expected: param.expected, suggestion: param.suggest?.(arg.value) })
    return read
  }
  return (run) => {
    const value = read(run)
    if (!param.accepts(value)) throw forbidden(run, source, what, param.expected)
    return value
  }
}

/** What it costs a filter to read the value, in characters and items. */
const weightOf = (value: Json): number => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

const forbidden = (run: Run, source: string, what: string, expected: string): PawlError =>
  new PawlError('template_value_forbidden', `${quote(source)}: ${what}`, { path: run.place, expected })

interface Hint {
  readonly expected: string
  readonly suggestion?: string | undefined
}

const invalid = (call: Call, source: string, what: string, { expected, suggestion }: Hint): PawlError =>
  new PawlError('invalid_template', `${quote(source)}: ${what}`, {
    offset: call.offset,
    expected,
    ...(suggestion !== undefined && { suggestion }),
  })
