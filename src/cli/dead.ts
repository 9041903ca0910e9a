// Owns `pawl dead …`: dead letters by cause, and bringing them back.

import type { Command } from 'commander'
import type { ReplayBody } from '../client/client.ts'
import type { DeadGroup } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import { actionColumns } from './action-view.ts'
import { followBulk } from './bulk.ts'
import { examples, group, remote, run, sub } from './command.ts'
import { confirm } from './confirm.ts'
import { paged, showList } from './listed.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

const columns = ({ terminal, when }: Session): readonly Column<DeadGroup>[] => [
  { title: 'COUNT', text: ({ count }) => terminal.style('magenta', `◆ ${count}`) },
  { title: 'GROUP', text: ({ id }) => id },
  { title: 'TYPE', text: ({ actionType }) => plainText(actionType) },
  { title: 'ERROR', text: ({ errorType }) => plainText(errorType) },
  { title: 'MESSAGE', text: ({ message }) => plainText(message) },
  { title: 'SINCE', text: ({ firstAt }) => when(firstAt) },
  { title: 'LAST', text: ({ lastAt }) => when(lastAt) },
]

const groups = async (session: Session): Promise<void> =>
  showList(session, (await session.client()).dead.groups(), columns(session), 'No dead letters.')

const letters = async (session: Session, id: string | undefined): Promise<void> => {
  const filter = id === undefined ? {} : { fingerprint: id.replace(/^eg_/, '') }
  const listing = (await session.client()).dead.list(filter)
  await showList(session, listing, actionColumns(session), 'No dead letters.')
}

const bodyOf = ({ options }: Session, id: string | undefined): ReplayBody => {
  const filter = Object.fromEntries(
    ['type', 'name', 'errorType', 'tag', 'execution', 'since', 'until'].flatMap((name) =>
      options[name] === undefined ? [] : [[name, String(options[name])]],
    ),
  )
  if (id === undefined && Object.keys(filter).length === 0 && options['all'] !== true)
    throw new PawlError('invalid_option', 'it is not said which dead letters', {
      expected: 'a group (pawl dead lists them), a filter such as --type email, or --all',
    })
  const rate = options['rate'] as string | undefined
  return {
    ...(id === undefined ? { filter } : { group: id }),
    ...(rate !== undefined && { ratePerSecond: Number(rate) }),
  }
}

const replay = async (session: Session, id?: string): Promise<unknown> => {
  const { terminal, options, output } = session
  const body = bodyOf(session, id)
  const client = await session.writing()
  const count = await client.dead.count(body)
  if (options['dryRun'] === true) return output.one({ count }, () => [`would replay ${count}`])
  if (count === 0) return terminal.say('Nothing to replay.')
  await confirm(session, `Would replay ${count}. Replay?`)
  const bulk = await client.dead.replay(body)
  return followBulk(session, bulk.id)
}

const filtered = (command: Command): Command =>
  command
    .option('--type <type>', 'only this type')
    .option('--name <name>', 'only this name')
    .option('--error-type <type>', 'only this error')
    .option('--tag <tag>', 'only with this tag')
    .option('--execution <id>', 'only of this execution')
    .option('--since <instant>', 'died since')
    .option('--until <instant>', 'died before')
    .option('--all', 'all of them')

export const addDead = (program: Command): void => {
  const dead = group(program, 'dead', 'Dead letters by cause; bring them back')
  const listed = paged(remote(sub(dead, 'groups', 'Causes, biggest first'))).action(run(groups))
  dead.commands.at(-1)?.alias('list')
  examples(listed, 'pawl dead groups', 'pawl dead groups --json id,errorType,count')
  paged(remote(sub(dead, 'show [group]', 'The letters of one cause, or all'))).action(run(letters))
  const replayed = filtered(remote(sub(dead, 'replay [group]', 'Run them again, as a bulk operation')))
    .option('--rate <n>', 'this many a second')
    .option('--dry-run', 'only say how many')
    .option('--detach', 'do not wait')
    .action(run(replay))
  examples(
    replayed,
    'pawl dead replay eg_7f3a',
    'pawl dead replay --type email --since 2026-01-01T00:00:00Z --rate 10 --yes',
  )
  remote(sub(dead, 'retry <id>', 'Try one again')).action(
    run(async (session, id) => {
      await (await session.writing()).dead.retry(id)
      session.terminal.say(`${id} is tried again`)
    }),
  )
  remote(sub(dead, 'archive <id>', 'Put one away')).action(
    run(async (session, id) => {
      await (await session.writing()).dead.archive(id)
      session.terminal.say(`${id} is put away`)
    }),
  )
}
