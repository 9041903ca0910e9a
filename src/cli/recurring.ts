// Owns `pawl recurring …`: recurrences seen, made, changed, switched, asked for one more or one less.

import type { Command } from 'commander'
import type { Occurrence, RecurringAction, RecurringRow } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { examples, group, remote, run, sub } from './command.ts'
import { confirm } from './confirm.ts'
import { readObjectInput, readPairs } from './json-input.ts'
import { paged, showList } from './listed.ts'
import { marked } from './marks.ts'
import { asNext, next } from './next.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

const statusOf = ({ enabled }: { readonly enabled: boolean }): string => (enabled ? 'active' : 'paused')
const whenOf = ({ cron_expr, timezone }: RecurringRow): string =>
  cron_expr === null ? 'in code' : plainText(`${cron_expr}  ${timezone}`)
const doesOf = ({ provider, action_type }: RecurringRow): string =>
  plainText([provider, action_type].filter((word) => word !== null).join(' '))

const columns = ({ terminal, when }: Session): readonly Column<RecurringRow>[] => [
  { title: 'STATUS', text: (row) => marked(terminal, statusOf(row)) },
  { title: 'ID', text: ({ id }) => plainText(id) },
  { title: 'WHEN', text: whenOf },
  { title: 'DOES', text: doesOf },
  { title: 'NEXT', text: ({ next_execution_at: at }) => (at === null ? '–' : when(at)) },
  { title: 'LAST', text: ({ last_executed_at: at }) => (at === null ? '–' : when(at)) },
  { title: 'RUNS', text: ({ execution_count }) => String(execution_count) },
]

const lines = ({ terminal, when }: Session, shown: RecurringAction): readonly string[] => {
  const { id, words, description, next_execution_at: nextAt, last_executed_at: lastAt, error } = shown
  const counts = `${shown.execution_count} runs, ${shown.success_count} succeeded, ${shown.failure_count} failed`
  return [
    `${terminal.style('bold', plainText(id))}  ${plainText(words)}  ${marked(terminal, statusOf(shown))}`,
    ...(description === null ? [] : [`  ${plainText(description)}`]),
    `  does       ${doesOf({ ...shown, ...namesOf(shown) })}`,
    `  next       ${nextAt === null ? 'none' : when(nextAt)}`,
    `  last       ${lastAt === null ? 'never' : when(lastAt)}   ${counts}`,
    ...(error === null ? [] : [`  error      ${plainText(error)}`]),
  ]
}

const namesOf = ({ action_template: { provider, action_type } }: RecurringAction) => ({
  provider: (provider ?? null) as string | null,
  action_type: (action_type ?? null) as string | null,
})

const show = (session: Session, shown: RecurringAction): void =>
  session.output.one(shown, () => lines(session, shown))

/** On the wire, on the command line. */
const FLAGS: readonly (readonly [string, string, string])[] = [
  ['timezone', '--timezone <zone>', 'whose clock the cron is read by'],
  ['action_type', '--name <name>', 'its name'],
  ['description', '--description <text>', 'for people'],
  ['ends_at', '--ends <instant>', 'nothing fires at or after it'],
  ['misfire', '--misfire <word>', 'what was missed: skip, latest, all'],
  ['overlap', '--overlap <word>', 'while one runs: allow, skip, cancel_previous'],
  ['jitter', '--jitter <duration>', 'spreads the starts'],
  ['dedup_key', '--dedup-key <text>', 'may hold {{recurring_id}} and {{execution_time}}'],
]
const COUNTS: readonly (readonly [string, string, string])[] = [
  ['max_executions', '--max-executions <n>', 'then it ends'],
  ['pause_after_failures', '--pause-after-failures <n>', 'so many in a row switch it off'],
]

const nameOf = (flag: string): string =>
  flag
    .slice(2)
    .split(' ')[0]!
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const settable = (command: Command): Command => {
  for (const [, flag, about] of [...FLAGS, ...COUNTS]) command.option(flag, about)
  return command.option('--with <json>', 'the config as JSON, @file or -')
}

const fieldsOf = ({ options }: Session): JsonObject =>
  Object.fromEntries([
    ...FLAGS.flatMap(([field, flag]) =>
      options[nameOf(flag)] === undefined ? [] : [[field, options[nameOf(flag)]]],
    ),
    ...COUNTS.flatMap(([field, flag]) =>
      options[nameOf(flag)] === undefined ? [] : [[field, Number(options[nameOf(flag)])]],
    ),
  ])

const payloadOf = ({ options }: Session, pairs: readonly string[]): JsonObject => {
  const given = options['with'] as string | undefined
  return given === undefined ? readPairs(pairs) : readObjectInput(given, '--with')
}

const create = async (session: Session, cron: string, type: string, ...pairs: string[]): Promise<void> => {
  const { options, output, when } = session
  const zone = options['timezone'] ?? options['tz'] ?? 'UTC'
  const made = await (await session.writing()).recurring.create({
    action_type: type,
    ...fieldsOf(session),
    cron_expr: cron,
    timezone: zone,
    provider: type,
    payload: payloadOf(session, pairs),
    ...(options['disabled'] === true && { enabled: false }),
  })
  const nextAt = made['next_execution'] as string | null
  output.one(made, () => [
    `${made.recurring_id}  next ${nextAt === null ? 'none: it is switched off' : when(nextAt)}`,
  ])
}

const update = async (session: Session, id: string, ...pairs: string[]): Promise<void> => {
  const { options } = session
  const cleared = (options['clear'] as string | undefined)?.split(',') ?? []
  const isPayload = pairs.length > 0 || options['with'] !== undefined
  const changes: JsonObject = {
    ...fieldsOf(session),
    ...(options['cron'] !== undefined && { cron_expr: options['cron'] }),
    ...(isPayload && { payload: payloadOf(session, pairs) }),
    ...Object.fromEntries(cleared.map((field) => [field.trim().replaceAll('-', '_'), null])),
  }
  if (Object.keys(changes).length === 0)
    throw new PawlError('invalid_option', 'nothing is to be changed', {
      expected: '--cron, --timezone, config as name=value … (--help shows all)',
    })
  show(session, await (await session.writing()).recurring.update(id, changes))
}

const turn =
  (verb: 'pause' | 'resume') =>
  async (session: Session, id: string): Promise<void> => {
    const turned = await (await session.writing()).recurring[verb](id)
    const { next_execution_at: nextAt } = turned
    session.output.one(turned, () => [
      `${plainText(id)} ${marked(session.terminal, statusOf(turned))}${nextAt === null ? '' : `, next ${session.when(nextAt)}`}`,
    ])
  }

const remove = async (session: Session, id: string): Promise<void> => {
  await confirm(session, `Remove the recurrence ${plainText(id)}?`)
  await (await session.writing()).recurring.remove(id)
  session.terminal.say(`${plainText(id)} is removed; what it has asked for goes on`)
}

const backfill = async (session: Session, id: string): Promise<void> => {
  const { options, terminal, output } = session
  const range = { from: String(options['from']), to: String(options['to']) }
  const { fired } = await (await session.writing()).recurring.backfill(id, range)
  output.rows(
    fired.map((at) => ({ at })),
    [{ title: 'FIRED', text: ({ at }) => at }],
  )
  terminal.say(fired.length === 0 ? 'nothing was missing there' : `${fired.length} fired`)
}

const historyColumns = ({ terminal, when }: Session): readonly Column<Occurrence>[] => [
  {
    title: 'AT',
    text: ({ at, until, count }) =>
      until === undefined ? when(at) : `${when(at)} … ${when(until)} (${count})`,
  },
  { title: 'FATE', text: ({ fate, reason }) => (reason === undefined ? fate : `${fate}: ${reason}`) },
  { title: 'OUTCOME', text: ({ outcome }) => (outcome === undefined ? '' : marked(terminal, outcome)) },
  { title: 'ACTION', text: ({ action }) => action ?? '' },
]

const addMaking = (recurring: Command): void => {
  const made = settable(
    remote(sub(recurring, 'create <cron> <type> [config...]', 'Make one: config as name=value')),
  ).option('--disabled', 'switched off at first')
  examples(
    made.action(run(create)),
    'pawl recurring create "0 9 * * MON-FRI" email to=team@example.com template=digest --timezone Europe/London',
    'pawl recurring create "@every 90s" webhook --with @ping.json --overlap skip',
  )
  const changed = settable(remote(sub(recurring, 'update <id> [config...]', 'Change what is named')))
    .option('--cron <cron>', 'another schedule: planned anew from now')
    .option('--clear <fields>', 'take these away, as ends_at,jitter')
  examples(changed.action(run(update)), 'pawl recurring update 3f0c… --cron "0 8 * * *"')
}

const addActing = (recurring: Command): void => {
  for (const verb of ['pause', 'resume'] as const) {
    const about = verb === 'pause' ? 'Take its next occurrence away' : 'Let it go on from now'
    remote(sub(recurring, `${verb} <id>`, about)).action(run(turn(verb)))
  }
  remote(sub(recurring, 'delete <id>', 'Remove it; what it has asked for goes on')).action(run(remove))
  remote(sub(recurring, 'run <id>', 'One more, now')).action(
    run(async (session, id) => show(session, await (await session.writing()).recurring.runNow(id))),
  )
  remote(sub(recurring, 'skip <id>', 'Leave its next occurrence out')).action(
    run(async (session, id) => show(session, await (await session.writing()).recurring.skipNext(id))),
  )
  const filled = remote(sub(recurring, 'backfill <id>', 'Fire what was missed in a range of the past'))
    .requiredOption('--from <instant>', 'from this instant on')
    .requiredOption('--to <instant>', 'up to this one, which is not part of it')
  examples(
    filled.action(run(backfill)),
    'pawl recurring backfill weekday-digest --from 2026-03-02T00:00:00Z --to 2026-03-07T00:00:00Z',
  )
}

export const addRecurring = (program: Command): void => {
  const recurring = group(program, 'recurring', 'What happens again and again')
  const listed = paged(remote(sub(recurring, 'list', 'List them')))
    .option('--enabled', 'only those that are switched on')
    .option('--disabled', 'only those that are switched off')
  listed.action(
    run(async (session) => {
      const { enabled, disabled } = session.options
      const filter = enabled === disabled ? {} : { enabled: enabled === true }
      const listing = (await session.client()).recurring.list(filter)
      await showList(session, listing, columns(session), 'None yet. Make one: pawl recurring create --help')
    }),
  )
  remote(sub(recurring, 'get <id>', 'Show one')).action(
    run(async (session, id) => show(session, await (await session.client()).recurring.get(id))),
  )
  addMaking(recurring)
  addActing(recurring)
  paged(remote(sub(recurring, 'history <id>', 'What became of its occurrences, newest first'))).action(
    run(async (session, id) => {
      const listing = (await session.client()).recurring.history(id)
      await showList(session, listing, historyColumns(session), 'No occurrence yet: pawl recurring next <id>')
    }),
  )
  asNext(sub(recurring, 'next <id>', 'When it fires next')).action(run(next))
}
