// Owns the templates' language: Liquid, reading own properties of plain data, with limits, without files, without the
// clock and without chance. HTML is escaped unless a template says `raw`; text and subjects are not.
// L1  The same template and variables give the same text, on every machine and at every attempt.

import { type FilterImplOptions, Liquid } from 'liquidjs'
import { ActionFailure } from '../../core/action-error.ts'
import type { JsonObject } from '../../core/json.ts'
import { refusal } from './refusal.ts'

export type Kind = 'html' | 'text'

const MAX_TEMPLATE = 256 * 1024
const MAX_OUTPUT = 1024 * 1024
/** Steps of memory as liquidjs counts them: characters joined, members listed. */
const MAX_MEMORY = 2 * MAX_OUTPUT
/** Only against endless work that allocates nothing; generous, because machines are noisy. */
const MAX_RENDER_MS = 2000

/** They look up other templates, by a name that data could choose. */
const NO_TAGS = ['include', 'render', 'layout', 'block']
/** Another answer each time. */
const NO_FILTERS = ['sample']
const DATE_FILTERS = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']

const handlerOf = (filter: FilterImplOptions) => (typeof filter === 'function' ? filter : filter.handler)

/** `'now' | date` would differ between attempts (L1). */
const withoutClock = (engine: Liquid, name: string): void => {
  const original = handlerOf(engine.filters[name]!)
  engine.registerFilter(name, function (value: unknown, ...args: unknown[]) {
    if (value === 'now' || value === 'today')
      throw new Error(`${name} has no clock; give the moment in a variable, such as {{now}} of the action`)
    return original.call(this, value, ...args)
  })
}

const createLiquid = (kind: Kind): Liquid => {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: MAX_TEMPLATE,
    memoryLimit: MAX_MEMORY,
    renderLimit: MAX_RENDER_MS,
    ...(kind === 'html' && { outputEscape: 'escape' as const }),
  })
  for (const tag of NO_TAGS) delete engine.tags[tag]
  for (const filter of NO_FILTERS) delete engine.filters[filter]
  for (const filter of DATE_FILTERS) withoutClock(engine, filter)
  return engine
}

const ENGINES: Readonly<Record<Kind, Liquid>> = { html: createLiquid('html'), text: createLiquid('text') }

type Parsed = ReturnType<Liquid['parse']>
const MAX_PARSED = 100
const parsed = new Map<string, Parsed>()

const parse = (kind: Kind, source: string): Parsed => {
  const key = `${kind} ${source}`
  const known = parsed.get(key) ?? ENGINES[kind].parse(source)
  parsed.delete(key)
  parsed.set(key, known)
  if (parsed.size > MAX_PARSED) parsed.delete(parsed.keys().next().value!)
  return known
}

/** liquidjs' first line says what and where; what follows quotes the template. */
const refused = (error: unknown, path: string) => {
  if (error instanceof ActionFailure) return error
  const { name, message } = error as Error
  const [said = ''] = message.split('\n')
  const code =
    name === 'UndefinedVariableError'
      ? 'unknown_variable'
      : /limit exceeded/.test(said)
        ? 'template_limit_exceeded'
        : 'invalid_template'
  return refusal(code, path, said.slice(0, 200))
}

/** Can it be read at all? Whether its variables are there is known only when it is rendered. */
export const assertLiquid = (kind: Kind, source: string, path: string): void => {
  try {
    parse(kind, source)
  } catch (error) {
    throw refused(error, path)
  }
}

export const renderLiquid = (kind: Kind, source: string, variables: JsonObject, path: string): string => {
  try {
    const text: string = ENGINES[kind].renderSync(parse(kind, source), variables)
    if (text.length > MAX_OUTPUT)
      throw refusal('template_limit_exceeded', path, `a template gives more than ${MAX_OUTPUT} characters`)
    return text
  } catch (error) {
    throw refused(error, path)
  }
}
