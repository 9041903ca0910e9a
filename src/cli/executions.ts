// Owns `pawl start`, `pawl send` and `pawl executions …`: begin one, tell it something, see it, act on it.

import type { Command } from 'commander'
import type { Execution, HistoryEntry, Sent } from '../client/resources.ts'
import type { JsonObject } from '../core/json.ts'
import { actionColumns } from './action-view.ts'
import { examples, group, remote, run, sub } from './command.ts'
import { EXIT } from './fail.ts'
import { readJsonInput, readObjectInput, readPairs } from './json-input.ts'
import { paged, showList } from './listed.ts'
import { marked } from './marks.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

const columns = ({ terminal, when }: Session): readonly Column<Execution>[] => [
  { title: 'STATUS', text: ({ status }) => marked(terminal, status) },
  { title: 'ID', text: ({ id }) => plainText(id) },
  { title: 'DEFINITION', text: ({ definition }) => plainText(definition) },
  { title: 'STATE', text: ({ state }) => plainText(state ?? '–') },
  { title: 'SINCE', text: ({ updatedAt }) => when(updatedAt) },
]

const lines = ({ terminal, when }: Session, execution: Execution): readonly string[] => {
  const { id, definition, status, state, variables, createdAt, error } = execution
  return [
    `${terminal.style('bold', plainText(id))}  ${plainText(definition)}  ${marked(terminal, status)}  ${plainText(state ?? '')}`,
    `  started    ${when(createdAt)}`,
    `  variables  ${plainText(JSON.stringify(variables))}`,
    ...(error === undefined ? [] : [`  error      ${error.code}: ${plainText(error.message)}`]),
  ]
}

const show = (session: Session, execution: Execution): void =>
  session.output.one(execution, () => lines(session, execution))

const start = async (session: Session, definition: string, ...pairs: string[]): Promise<void> => {
  const { options } = session
  const given = options['variables'] as string | undefined
  const variables = given === undefined ? readPairs(pairs) : readObjectInput(given, '--variables')
  const id = options['id'] as string | undefined
  const body = { definition, variables, ...(id !== undefined && { id }) }
  show(session, await (await session.writing()).executions.start(body))
}

const sentLines = (session: Session, { applied, duplicate, reason, execution }: Sent): readonly string[] => {
  const word = applied ? 'applied' : duplicate ? 'was applied before' : `not applied: ${reason ?? 'it waits'}`
  return [word, ...lines(session, execution)]
}

const send = async (
  session: Session,
  execution: string,
  type: string,
  ...pairs: string[]
): Promise<number> => {
  const { options, output } = session
  const given = options['payload'] as string | undefined
  const id = options['id'] as string | undefined
  const payload = given === undefined ? readPairs(pairs) : readJsonInput(given, '--payload')
  const event = { type, payload, ...(id !== undefined && { id }) }
  const sent = await (await session.writing()).executions.send(execution, event)
  output.one(sent, () => sentLines(session, sent))
  return EXIT.ok
}

const list = async (session: Session): Promise<void> => {
  const { options } = session
  const filter = Object.fromEntries(
    ['definition', 'status', 'state', 'kind'].flatMap((name) =>
      options[name] === undefined ? [] : [[name, String(options[name])]],
    ),
  )
  const listing = (await session.client()).executions.list(filter)
  await showList(session, listing, columns(session), 'No executions. Start one: pawl start <definition>')
}

const history = async (session: Session, id: string): Promise<void> => {
  const entries: readonly Column<HistoryEntry>[] = [
    { title: 'N', text: ({ seq }) => String(seq) },
    { title: 'AT', text: ({ at }) => session.when(at) },
    { title: 'WHAT', text: ({ type }) => type },
    { title: 'DATA', text: ({ data }) => plainText(JSON.stringify(data)) },
  ]
  await showList(session, (await session.client()).executions.history(id), entries, 'No history.')
}

const timeline = async (session: Session, id: string): Promise<void> => {
  const at = (row: JsonObject, name: string): string => plainText(String(row[name] ?? ''))
  const steps: readonly Column<JsonObject>[] = [
    { title: 'WHEN', text: (row) => at(row, 'when') },
    { title: 'AT', text: (row) => session.when(row['at'] as string | undefined) },
    { title: 'WHAT', text: (row) => at(row, 'what') },
  ]
  await showList(
    session,
    (await session.client()).executions.timeline(id),
    steps,
    'Nothing happened, nothing is planned.',
  )
}

const patch = async (session: Session, id: string, ...pairs: string[]): Promise<void> => {
  const isDry = session.options['dryRun'] === true
  const given = session.options['variables'] as string | undefined
  const variables = given === undefined ? readPairs(pairs) : readObjectInput(given, '--variables')
  const changed = await (await session.writing()).executions.patch(id, variables, isDry)
  session.output.one(changed, () => [JSON.stringify(changed, undefined, 2)])
}

const addVerbs = (executions: Command): void => {
  remote(sub(executions, 'pause <id>', 'Pause one'))
    .option('--reason <text>', 'why')
    .action(
      run(async (session, id) => {
        const reason = session.options['reason'] as string | undefined
        show(session, await (await session.writing()).executions.pause(id, reason))
      }),
    )
  remote(sub(executions, 'resume <id>', 'Let a paused one go on')).action(
    run(async (session, id) => show(session, await (await session.writing()).executions.resume(id))),
  )
  remote(sub(executions, 'cancel <id>', 'End one for good'))
    .option('--reason <text>', 'why')
    .action(
      run(async (session, id) => {
        const reason = session.options['reason'] as string | undefined
        show(session, await (await session.writing()).executions.cancel(id, reason))
      }),
    )
  remote(sub(executions, 'patch <id> [variables...]', 'Change variables: name=value'))
    .option('--variables <json>', 'as JSON, @file or -')
    .option('--dry-run', 'only show what would change')
    .action(run(patch))
}

const addSend = (parent: Command): void => {
  const command = remote(
    sub(parent, 'send <execution> <type> [payload...]', 'Send an event: payload as name=value'),
  )
    .option('--payload <json>', 'the payload as JSON, @file or -')
    .option('--id <id>', 'an id is applied once')
    .action(run(send))
  examples(command, 'pawl send l_882 notice.received until=2026-12-31 --id evt_1')
}

export const addExecutions = (program: Command): void => {
  const started = remote(
    sub(program, 'start <definition> [variables...]', 'Start an execution: variables as name=value'),
  )
    .option('--variables <json>', 'as JSON, @file or -')
    .option('--id <id>', 'a name of your own: the same id and input is the same execution')
    .action(run(start))
  examples(started, 'pawl start lease landlord=ada --id l_882')
  addSend(program)
  const executions = group(program, 'executions', 'See executions, act on one')
  const listed = paged(remote(sub(executions, 'list', 'List executions, newest first')))
  for (const name of ['definition', 'status', 'state', 'kind'])
    listed.option(`--${name} <value>`, `only this ${name}`)
  listed.action(run(list))
  remote(sub(executions, 'get <id>', 'Show one')).action(
    run(async (session, id) => show(session, await (await session.client()).executions.get(id))),
  )
  paged(remote(sub(executions, 'history <id>', 'Everything that happened to it'))).action(run(history))
  paged(remote(sub(executions, 'timeline <id>', 'Past, now and planned'))).action(run(timeline))
  paged(remote(sub(executions, 'actions <id>', 'Its actions'))).action(
    run(async (session, id) =>
      showList(
        session,
        (await session.client()).executions.actions(id),
        actionColumns(session),
        'It has none.',
      ),
    ),
  )
  addSend(executions)
  addVerbs(executions)
}
