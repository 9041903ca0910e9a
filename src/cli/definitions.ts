// Owns `pawl apply`, `pawl diff` and `pawl export`: definitions of files against those of a server. Nothing is applied while
// any file has an error.

import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { PawlError } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { examples, remote, run, sub } from './command.ts'
import { Ended, EXIT } from './fail.ts'
import { lineDiff } from './line-diff.ts'
import type { ReadDefinitions } from './read-definitions.ts'
import type { Session } from './session.ts'
import { pathsOf, tellProblems } from './validate.ts'

interface Compared {
  readonly kind: string
  readonly id: string
  readonly change: 'new' | 'changed' | 'same'
  readonly data: JsonObject
  /** What the server has. */
  readonly stored?: JsonObject
}

/** Undefined where the server has none. */
const orNone = async <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof PawlError && error.details['status'] === 404) return undefined
    throw error
  })

/** A recurrence that a person removed has its definition still, and is made anew by applying it. */
const storedOf = async (client: Client, kind: string, id: string) => {
  const stored = await orNone(client.definitions.get(kind, id))
  if (kind !== 'recurrence' || stored === undefined) return stored
  return (await orNone(client.recurring.get(id))) && stored
}

type Parsed = ReadDefinitions['parsed'][number]

const compare = async (client: Client, { kind, id, hash, data }: Parsed): Promise<Compared> => {
  const stored = await storedOf(client, kind, id)
  const change = stored === undefined ? 'new' : stored.hash === hash ? 'same' : 'changed'
  const own = { kind, ...(data as unknown as JsonObject) }
  return { kind, id, change, data: own, ...(isObject(stored?.content) && { stored: stored.content }) }
}

const comparedAll = async (session: Session, files: readonly string[], client: Client) => {
  const { readDefinitions } = await import('./read-definitions.ts')
  const read = await readDefinitions(pathsOf(session, files), session.cwd)
  if (tellProblems(session, read) > 0) {
    session.terminal.say(`${read.files.length} files, 0 applied`)
    throw new Ended(EXIT.usage)
  }
  for (const { id } of read.coded)
    session.terminal.say(`! ${id} is code: it runs where its program runs, and is not sent`)
  const all: Compared[] = []
  for (const each of read.parsed) all.push(await compare(client, each))
  return all
}

const MARKS = { new: ['green', '+'], changed: ['yellow', '~'], same: ['dim', '='] } as const

const columnsOf = ({ terminal }: Session) => [
  {
    title: 'CHANGE',
    text: ({ change }: { readonly change: Compared['change'] }) =>
      `${terminal.style(MARKS[change][0], MARKS[change][1])} ${change}`,
  },
  { title: 'KIND', text: ({ kind }: { readonly kind: string }) => kind },
  { title: 'ID', text: ({ id }: { readonly id: string }) => id },
]

const diff = async (session: Session, ...files: string[]): Promise<number> => {
  const { output, terminal } = session
  const all = await comparedAll(session, files, await session.client())
  if (output.isJson)
    output.rows(
      all.map(({ kind, id, change }) => ({ kind, id, change })),
      [],
    )
  else
    for (const { kind, id, change, data, stored } of all.filter((each) => each.change !== 'same')) {
      terminal.print(`${terminal.style(MARKS[change][0], MARKS[change][1])} ${kind} ${id}`)
      for (const line of lineDiff(stored ?? {}, data)) terminal.print(`  ${line}`)
    }
  const changes = all.filter(({ change }) => change !== 'same').length
  terminal.say(changes === 0 ? 'nothing would change' : `${changes} would change`)
  return session.options['exitCode'] === true && changes > 0 ? EXIT.failed : EXIT.ok
}

const apply = async (session: Session, ...files: string[]): Promise<void> => {
  const { output, terminal } = session
  const client = await session.writing()
  const all = await comparedAll(session, files, client)
  const applied: object[] = []
  for (const { kind, id, change, data } of all) {
    const made = change === 'same' ? undefined : await client.definitions.put(data)
    applied.push({ kind, id, change, ...(made !== undefined && { version: made.version, hash: made.hash }) })
  }
  output.rows(applied as readonly Compared[], columnsOf(session))
  const changes = all.filter(({ change }) => change !== 'same').length
  terminal.say(`${all.length} definitions, ${changes} applied`)
}

/** Of the kind that is asked for, else of whichever there is one. */
const exportOne = async (session: Session, id: string): Promise<void> => {
  const client = await session.client()
  const asked = session.options['kind'] as string | undefined
  const found = asked ?? (await client.definitions.list().page()).data.find((each) => each.id === id)?.kind
  const { content } = await client.definitions.get(found ?? 'machine', id)
  session.terminal.print(JSON.stringify(content, undefined, 2))
}

export const addDefinitions = (program: Command): void => {
  const applied = remote(sub(program, 'apply [files...]', 'Send definitions to a server'))
    .option('--definitions <path>', 'a directory or a file')
    .action(run(apply))
  examples(applied, 'pawl apply definitions/', 'pawl apply lease.yaml --server https://pawl.example')
  const compared = remote(sub(program, 'diff [files...]', 'What `apply` would change'))
    .option('--definitions <path>', 'a directory or a file')
    .option('--exit-code', 'end with 1 when something would change')
    .action(run(diff))
  examples(compared, 'pawl diff definitions/')
  remote(sub(program, 'export <id>', 'Print a definition of a server as JSON'))
    .option('--kind <kind>', 'its kind, when several are called so')
    .action(run(exportOne))
}
