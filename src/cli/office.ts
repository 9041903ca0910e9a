// Owns `pawl keys …`, `pawl secrets …` and `pawl tasks …`: who may speak to a server, what runners may know, and what people
// have been asked to do.

import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Key, Task } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import { examples, group, remote, run, sub } from './command.ts'
import { setting } from './given.ts'
import { readJsonInput } from './json-input.ts'
import { paged, showList } from './listed.ts'
import { marked } from './marks.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

const keyColumns = ({ when }: Session): readonly Column<Key>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => plainText(name) },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(',') },
  { title: 'TENANT', text: ({ namespace, tenant }) => plainText(`${namespace}/${tenant}`) },
  { title: 'MADE', text: ({ createdAt }) => when(createdAt) },
  {
    title: 'ENDS',
    text: ({ expiresAt, revokedAt }) => (revokedAt === undefined ? when(expiresAt) : 'revoked'),
  },
]

const createKey = async (session: Session, name: string): Promise<void> => {
  const { options, terminal, output } = session
  const client = await session.writing()
  const expiresAt = options['expires'] as string | undefined
  const made = await client.keys.create({
    name,
    namespace: setting<string>(session, 'namespace')!,
    tenant: setting<string>(session, 'tenant')!,
    scopes: String(options['scopes']).split(','),
    ...(expiresAt !== undefined && { expiresAt }),
  })
  // The token is the data; that it is shown once is talk.
  output.one(made, () => [made.token])
  terminal.say(`${made.id}  ${name}: the token is shown this once`)
}

export const addKeys = (program: Command): void => {
  const keys = group(program, 'keys', 'Keys that may speak to a server')
  paged(remote(sub(keys, 'list', 'List them'))).action(
    run(async (session) =>
      showList(session, (await session.client()).keys.list(), keyColumns(session), 'No keys: local mode.'),
    ),
  )
  const made = remote(sub(keys, 'create <name>', 'Make one; its token is printed once'))
    .option('--scopes <list>', 'read, operate, define, admin, work', 'read,operate')
    .option('--expires <instant>', 'when it ends')
    .action(run(createKey))
  examples(
    made,
    'pawl keys create ci --scopes define > token',
    'pawl keys create me --scopes admin --store sqlite:./pawl.db',
  )
  remote(sub(keys, 'revoke <id>', 'End one at once')).action(
    run(async (session, id) => {
      await (await session.writing()).keys.revoke(id)
      session.terminal.say(`${id} is revoked`)
    }),
  )
}

/** Never an argument: those are seen by everyone on the machine, and kept by the shell. */
const secretValue = ({ options, env }: Session): string => {
  const variable = options['fromEnv'] as string | undefined
  if (variable !== undefined && env[variable] !== undefined) return env[variable]
  if (variable === undefined && !process.stdin.isTTY) return readFileSync(0, 'utf8').replace(/\r?\n$/, '')
  throw new PawlError('invalid_option', 'the value of the secret is not given', {
    expected: 'a pipe (printf %s "$VALUE" | pawl secrets set name), or --from-env VARIABLE',
  })
}

const setSecret = async (session: Session, name: string): Promise<void> => {
  const hosts = session.options['hosts'] as string | undefined
  await (await session.writing()).secrets.put(name, secretValue(session), hosts?.split(','))
  session.terminal.say(`${name} is set`)
}

export const addSecrets = (program: Command): void => {
  const secrets = group(program, 'secrets', 'What runners may know: set and removed, never shown')
  paged(remote(sub(secrets, 'list', 'Names, never values'))).action(
    run(async (session) =>
      showList(
        session,
        (await session.client()).secrets.list(),
        [
          { title: 'NAME', text: (row) => String(row['name']) },
          { title: 'HOSTS', text: (row) => (Array.isArray(row['hosts']) ? row['hosts'].join(',') : '') },
        ],
        'No stored secrets.',
      ),
    ),
  )
  const set = remote(sub(secrets, 'set <name>', 'Set one; its value comes from a pipe'))
    .option('--hosts <list>', 'the only hosts it may be sent to')
    .option('--from-env <variable>', 'take the value from a variable')
    .action(run(setSecret))
  examples(set, 'printf %s "$KEY" | pawl secrets set mail_key --hosts api.mail.example')
  remote(sub(secrets, 'remove <name>', 'Remove one')).action(
    run(async (session, name) => {
      await (await session.writing()).secrets.remove(name)
      session.terminal.say(`${name} is removed`)
    }),
  )
}

const taskColumns = ({ terminal, when }: Session): readonly Column<Task>[] => [
  { title: 'STATUS', text: ({ status }) => marked(terminal, status) },
  { title: 'ID', text: ({ id }) => id },
  { title: 'TITLE', text: ({ title }) => plainText(title) },
  { title: 'FOR', text: ({ assignee }) => plainText(assignee ?? '–') },
  { title: 'DUE', text: ({ dueAt }) => when(dueAt) },
]

const complete = async (session: Session, id: string): Promise<void> => {
  const [result, by] = ['result', 'by'].map((name) => session.options[name] as string | undefined)
  const done = await (await session.writing()).tasks.complete(id, {
    ...(result !== undefined && { result: readJsonInput(result, '--result') }),
    ...(by !== undefined && { by }),
  })
  session.output.one(done, () => [`${id} is done`])
}

export const addTasks = (program: Command): void => {
  const tasks = group(program, 'tasks', 'What people have been asked to do')
  paged(remote(sub(tasks, 'list', 'List them')))
    .option('--status <status>', 'open, overdue or done')
    .option('--assignee <name>', 'only of this person')
    .action(
      run(async (session) => {
        const { options } = session
        const filter = Object.fromEntries(
          ['status', 'assignee'].flatMap((name) =>
            options[name] === undefined ? [] : [[name, String(options[name])]],
          ),
        )
        const listing = (await session.client()).tasks.list(filter)
        await showList(session, listing, taskColumns(session), 'No tasks.')
      }),
    )
  remote(sub(tasks, 'get <id>', 'Show one')).action(
    run(async (session, id) => {
      const task = await (await session.client()).tasks.get(id)
      session.output.one(task, () => [JSON.stringify(task, undefined, 2)])
    }),
  )
  remote(sub(tasks, 'complete <id>', 'Say that it is done'))
    .option('--result <json>', 'what came of it')
    .option('--by <name>', 'who did it')
    .action(run(complete))
}
