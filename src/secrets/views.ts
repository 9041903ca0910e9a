// Owns the ways to read a text in which a value may be escaped (URL, form, JSON, HTML), always without white space, so
// that a folded or split value is whole again. With needles.ts it multiplies: base64, folded, inside JSON is found too.

/** One way of reading: every token is replaced by what it stands for. */
interface Step {
  readonly token: RegExp
  readonly read: (token: string) => string
}

export interface View {
  readonly name: string
  /** Without it in the text, the view shows nothing new. */
  readonly mark: string
  readonly steps: readonly Step[]
}

const fold: Step = { token: /\s+/g, read: () => '' }
/** A character at a time, not a run: what is next to a secret stays readable. */
const percent: Step = {
  token: /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi,
  read: (token) => Buffer.from(token.replaceAll('%', ''), 'hex').toString(),
}
const plus: Step = { token: /\+/g, read: () => ' ' }
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
])
const backslash: Step = {
  token: /\\(?:u[\da-f]{4}|x[\da-f]{2}|.)/gis,
  read: (token) =>
    token.length > 2
      ? String.fromCharCode(Number.parseInt(token.slice(2), 16))
      : (ESCAPES.get(token[1]!) ?? token[1]!),
}
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const entity: Step = {
  token: /&(?:amp|lt|gt|quot|apos|#\d{1,5}|#x[\da-f]{1,4});/gi,
  read: (token) => {
    const name = token.slice(1, -1).toLowerCase()
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return ENTITIES.get(name) ?? String.fromCharCode(code)
  },
}

/** Twice, because a log line quotes an answer that quotes a request. */
export const VIEWS: readonly View[] = [
  { name: 'plain', mark: '', steps: [fold] },
  { name: 'url', mark: '%', steps: [percent, fold] },
  { name: 'url twice', mark: '%25', steps: [percent, percent, fold] },
  { name: 'form', mark: '+', steps: [plus, percent, fold] },
  { name: 'json', mark: '\\', steps: [backslash, fold] },
  { name: 'json twice', mark: '\\\\', steps: [backslash, backslash, fold] },
  { name: 'html', mark: '&', steps: [entity, fold] },
]

export const seenThrough = ({ steps }: View, text: string): string =>
  steps.reduce((seen, { token, read }) => seen.replaceAll(token, read), text)

/** End exclusive. */
type Range = readonly [start: number, end: number]
/** From a place in what the view shows to the place in the text. */
type Locate = (start: number, end: number) => Range

/** Costs a walk over the text: only for texts in which something was found. */
export const locator = ({ steps }: View, text: string): Locate => {
  let seen = text
  const maps: Origins[] = []
  for (const step of steps) {
    maps.unshift(originsOf(step, seen))
    seen = seen.replaceAll(step.token, step.read)
  }
  return (start, end) =>
    maps.reduce<Range>(([from, to], { starts, ends }) => [starts[from]!, ends[to - 1]!], [start, end])
}

interface Origins {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** For every character that a step gives, the range it was read from. */
const originsOf = ({ token, read }: Step, text: string): Origins => {
  const [starts, ends]: [number[], number[]] = [[], []]
  const note = (start: number, end: number): void => {
    starts.push(start)
    ends.push(end)
  }
  const copy = (from: number, to: number): void => {
    for (let at = from; at < to; at++) note(at, at + 1)
  }
  let done = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    copy(done, index)
    done = index + found.length
    for (let given = read(found).length; given > 0; given--) note(index, done)
  }
  copy(done, text.length)
  return { starts, ends }
}
