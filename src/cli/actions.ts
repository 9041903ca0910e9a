// Owns `pawl actions …`: see actions, ask for one, and act on one.

import type { Command } from 'commander'
import type { Action } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { actionColumns, showAction } from './action-view.ts'
import { examples, group, remote, run, sub } from './command.ts'
import { readJsonInput, readObjectInput, readPairs } from './json-input.ts'
import { paged, showList } from './listed.ts'
import type { Session } from './session.ts'
import { awaitAction, waiting } from './wait.ts'

const filterOf = ({ options }: Session): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['status', 'type', 'execution', 'name', 'tag'].flatMap((name) =>
      options[name] === undefined ? [] : [[name, String(options[name])]],
    ),
  )

const list = async (session: Session): Promise<void> => {
  const listing = (await session.client()).actions.list(filterOf(session))
  await showList(
    session,
    listing,
    actionColumns(session),
    'No actions. One appears when a trigger asks for it.',
  )
}

const dispatch = async (session: Session, type: string, ...pairs: string[]): Promise<unknown> => {
  const { options } = session
  const given = options['with'] as string | undefined
  const body: JsonObject = {
    type,
    config: given === undefined ? readPairs(pairs) : readObjectInput(given, '--with'),
    ...(options['name'] !== undefined && { name: options['name'] }),
    ...(options['delay'] !== undefined && { delay: options['delay'] }),
    ...(options['priority'] !== undefined && { priority: Number(options['priority']) }),
    ...Object.fromEntries(
      ['debounce', 'batch'].flatMap((name) =>
        options[name] === undefined ? [] : [[name, readObjectInput(String(options[name]), `--${name}`)]],
      ),
    ),
  }
  const action = await (await session.writing()).actions.dispatch(body)
  return options['wait'] === true ? awaitAction(session, action.id) : showAction(session, action)
}

const dispatchMany = async (session: Session, list: string): Promise<void> => {
  const bodies = readJsonInput(list, 'the list')
  if (!Array.isArray(bodies) || !bodies.every(isObject))
    throw new PawlError('json_rejected', 'the list is no list of objects', {
      expected: `'[{"type": "webhook", "config": {…}}, …]', @file.json, or - to read it from a pipe`,
    })
  const made = await (await session.writing()).actions.dispatchMany(bodies)
  session.output.rows(made, actionColumns(session))
}

type Verb = (session: Session, id: string) => Promise<Action>

const act =
  (verb: Verb) =>
  async (session: Session, id: string): Promise<void> =>
    showAction(session, await verb(session, id))

const VERBS: readonly (readonly [string, string, Verb])[] = [
  ['run-now', 'Let it run now, whenever it was due', async (s, id) => (await s.writing()).actions.runNow(id)],
  ['retry', 'Try a dead one again', async (s, id) => (await s.writing()).actions.retry(id)],
  ['archive', 'Put a dead one away', async (s, id) => (await s.writing()).actions.archive(id)],
]

const resolve = async (session: Session, id: string, outcome: string): Promise<void> => {
  if (outcome !== 'succeeded' && outcome !== 'failed')
    throw new PawlError('invalid_option', `“${outcome.slice(0, 80)}” is no outcome`, {
      expected: 'succeeded or failed',
    })
  const result = session.options['result'] as string | undefined
  const body = { outcome, ...(result !== undefined && { result: readJsonInput(result, '--result') }) }
  showAction(session, await (await session.writing()).actions.resolve(id, body))
}

const replay = async (session: Session, id: string): Promise<void> => {
  const config = session.options['with'] as string | undefined
  const client = await session.writing()
  const given = config === undefined ? undefined : readObjectInput(config, '--with')
  showAction(session, await client.actions.replay(id, given))
}

export const addActions = (program: Command): void => {
  const actions = group(program, 'actions', 'See actions, ask for one, act on one')
  const listed = paged(remote(sub(actions, 'list', 'List actions, newest first')))
  for (const name of ['status', 'type', 'execution', 'name', 'tag'])
    listed.option(`--${name} <value>`, `only this ${name}`)
  examples(
    listed.action(run(list)),
    'pawl actions list --status dead --type email',
    'pawl actions list --json id,status',
  )
  remote(sub(actions, 'get <id>', 'Show one with its attempts')).action(
    run(async (session, id) => showAction(session, await (await session.client()).actions.get(id))),
  )
  const asked = waiting(remote(sub(actions, 'run <type> [config...]', 'Ask for one: config as name=value')))
    .option('--with <json>', 'the config as JSON, @file or -')
    .option('--name <name>', 'its name')
    .option('--delay <duration>', 'due after this long')
    .option('--priority <n>', '0 to 100, higher first')
    .option('--debounce <json>', 'one action for many of a key: {"key", "wait", "maxWait"?}')
    .option('--batch <json>', 'one action with the items of many: {"key", "size", "wait"}')
  examples(
    asked.action(run(dispatch)),
    'pawl actions run webhook url=https://example.com method=POST',
    'pawl actions run email --with @mail.json --delay 5m --wait',
  )
  examples(
    remote(sub(actions, 'run-many <list>', 'Ask for up to 1,000, all or none: JSON, @file or -')).action(
      run(dispatchMany),
    ),
    'pawl actions run-many @mails.json',
    'jq -s . mails.ndjson | pawl actions run-many -',
  )
  for (const [name, about, verb] of VERBS) remote(sub(actions, `${name} <id>`, about)).action(run(act(verb)))
  remote(sub(actions, 'cancel <id>', 'Cancel one'))
    .option('--reason <text>', 'why')
    .action(
      run(async (session, id) => {
        const client = await session.writing()
        showAction(session, await client.actions.cancel(id, session.options['reason'] as string | undefined))
      }),
    )
  remote(sub(actions, 'replay <id>', 'Run it again; with --with as a new one'))
    .option('--with <json>', 'another config: JSON, @file or -')
    .action(run(replay))
  remote(sub(actions, 'resolve <id> <outcome>', 'Say what really happened to one in review'))
    .option('--result <json>', 'its result')
    .action(run(resolve))
}
