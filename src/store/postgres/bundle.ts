// Owns statements that travel together: what is asked of a connection in one breath leaves in one piece, ends with one Sync and
// is answered in one piece. By itself each statement is a Sync: it wakes the server, whose answer wakes us, and a commit is up
// to nine of them. When one fails, the server passes over those behind it, and what was before it is undone or will be: all of
// a bundle fail alike.

import type { ClientBase } from 'pg'
import { TYPES } from './driver.ts'
import { writeBind, writeDescribe, writeExecute, writeFlush, writeParse, writeSync } from './messages.ts'
import { begin, taken } from './scratch.ts'

/** The texts of a row, in the order of its columns. */
export type Fields = readonly (string | null)[]

/** How rows of these columns are made: of many rows with many columns, one name after the other costs three times as much. */
export interface Reading {
  readonly columns: readonly string[]
  readonly read: (fields: Fields) => object
}

export interface Asked {
  /** Its text is prepared once per connection under this name, or under another if that stands for another text. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly reading?: Reading | undefined
}

export interface Told {
  readonly rows: readonly never[]
  readonly count: number
  readonly command: string
}

interface Waiting extends Asked, PromiseWithResolvers<Told> {}

/** How a row of an answer is read: the server is asked for its columns once per connection. */
type Shape = Reading['read']

const NO_ROWS: Shape = () => ({})

/** A connection of pg, as it is offered to a query that writes itself onto the wire. */
interface Wire {
  readonly stream: {
    readonly writable: boolean
    readonly write: (bytes: Buffer) => void
    readonly destroy: () => void
  }
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

interface Described {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

const shapeOf = ({ fields: columns }: Described, reading: Reading | undefined): Shape => {
  const names = columns.map(({ name }) => name)
  const isKnown = names.length === reading?.columns.length
  if (isKnown && names.every((name, index) => name === reading.columns[index])) return reading.read
  const parsers = columns.map(({ dataTypeID }) => TYPES.getTypeParser(dataTypeID))
  return (fields) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index += 1) {
      const text = fields[index]!
      row[names[index]!] = text === null ? null : parsers[index]!(text)
    }
    return row
  }
}

const told = (rows: readonly object[], tag: string): Told => ({
  rows: rows as readonly never[],
  command: tag.split(' ', 1)[0]!,
  count: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0,
})

const write = (wire: Wire, { name, text, values }: Asked, isKnown: boolean): void => {
  if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
    writeParse(name, text)
    wire.submittedNamedStatements[name] = text
  }
  writeBind(name, values)
  if (!isKnown) writeDescribe()
  writeExecute()
}

/** A query of pg, in what its client looks at. */
interface Queried {
  /** Of the statement that is being answered: what the client keeps of one that was parsed. */
  name: string | undefined
  text: string | undefined
  callback: (error: unknown) => void
}
export type MakeQuery = new (text: string) => Queried

/** Statements that leave together, and how many of them are to be answered before the others are done. */
interface Load {
  readonly asked: readonly Waiting[]
  readonly urgent: number
}

/** What has been answered of a bundle. */
const createAnswers = ({ asked, urgent }: Load, shapes: Map<string, Shape>) => {
  const answers: Told[] = []
  let rows: object[] = []
  let shape = shapes.get(asked[0]!.name)
  let broken: unknown
  const current = (): Waiting | undefined => asked[answers.length]
  const fail = (error: unknown): void => {
    for (const { reject } of asked) reject(error)
  }
  const tell = (): void => {
    for (const [index, answer] of answers.entries()) asked[index]!.resolve(answer)
  }
  return {
    current,
    /** Those that the server has not answered. */
    left: (): readonly Waiting[] => asked.slice(answers.length),
    describe: (described: Described): void => {
      shape = shapeOf(described, current()!.reading)
    },
    add: (fields: Fields): void => {
      try {
        rows.push(shape!(fields))
      } catch (error) {
        broken = error
      }
    },
    complete: (tag: string): void => {
      shapes.set(current()!.name, shape ?? NO_ROWS)
      answers.push(told(rows, tag))
      rows = []
      shape = shapes.get(current()?.name ?? '')
      if (answers.length === urgent && broken === undefined) tell()
    },
    fail,
    end: (): void => {
      if (broken === undefined) tell()
      else fail(broken)
    },
  }
}

const writeAll = (wire: Wire, { asked, urgent }: Load, shapes: ReadonlyMap<string, Shape>): void => {
  begin()
  for (let index = 0; index < asked.length; index += 1) {
    const one = asked[index]!
    write(wire, one, shapes.has(one.name))
    if (index + 1 === urgent) writeFlush()
  }
  writeSync()
  if (wire.stream.writable) wire.stream.write(taken())
}

/** To the client one query of its own kind, which writes itself onto the wire and hears what is said to it. */
const bundleOf = (Query: MakeQuery, load: Load, shapes: Map<string, Shape>): Queried => {
  const answers = createAnswers(load, shapes)
  const query = new Query('')
  const turn = (): void => {
    query.name = answers.current()?.name
    query.text = answers.current()?.text
  }
  const handleError = (error: unknown, wire?: Wire): void => {
    // What is behind it was passed over, and is not known to the server.
    for (const { name } of answers.left()) delete wire?.submittedNamedStatements[name]
    answers.fail(error)
    query.callback(error)
  }
  turn()
  return Object.assign(query, {
    callback: () => undefined,
    submit: (wire: Wire): null => {
      try {
        writeAll(wire, load, shapes)
      } catch (error) {
        // It was not sent, and the client waits for its answers: nobody may go on from there.
        handleError(error)
        wire.stream.destroy()
      }
      return null
    },
    handleRowDescription: answers.describe,
    handleDataRow: ({ fields }: { readonly fields: Fields }) => answers.add(fields),
    handleCommandComplete: ({ text }: { readonly text: string }) => {
      answers.complete(text)
      turn()
    },
    handleError,
    handleReadyForQuery: () => {
      answers.end()
      query.callback(null)
    },
  })
}

export interface Bundles {
  /** What is asked before this turn of the microtasks is over travels together. */
  readonly ask: (asked: Asked) => Promise<Told>
  /** What was asked is to be answered before what will travel with it. */
  readonly hurry: () => void
  /** What was asked goes now. */
  readonly leave: () => void
}

/** Under which name a text is prepared. */
const createNames = (): ((asked: Asked) => string) => {
  const byText = new Map<string, string>()
  const taken = new Set<string>()
  return ({ name, text }) => {
    const given = byText.get(text) ?? (taken.has(name) ? `${name} ${byText.size}` : name)
    byText.set(text, given)
    taken.add(given)
    return given
  }
}

/** Of a connection that is ours. */
export const createBundles = (client: Pick<ClientBase, 'query'>, Query: MakeQuery): Bundles => {
  const shapes = new Map<string, Shape>()
  const nameOf = createNames()
  let waiting: Waiting[] = []
  let urgent = 0
  const leave = (): void => {
    if (waiting.length === 0) return
    const bundle = bundleOf(Query, { asked: waiting, urgent }, shapes)
    waiting = []
    urgent = 0
    client.query(bundle as never)
  }
  const ask: Bundles['ask'] = (asked) => {
    if (waiting.length === 0) queueMicrotask(leave)
    const answer = Promise.withResolvers<Told>()
    waiting.push({ ...asked, name: nameOf(asked), ...answer })
    return answer.promise
  }
  const hurry = (): void => {
    urgent = waiting.length
  }
  return { ask, hurry, leave }
}
