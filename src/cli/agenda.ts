// Owns `pawl agenda`: what will happen, day by day, in the time of whoever reads it and in that of the schedule behind it.

import { type Command, Option } from 'commander'
import type { AgendaEntry } from '../client/resources.ts'
import { PawlError } from '../core/errors.ts'
import { parseInstant } from '../core/time/instant.ts'
import { examples, remote, run, sub } from './command.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 3660
const YEAR_MS = 366 * DAY_MS
/** What is shown at once. */
const MOST = 200

const KINDS = ['machine', 'journey', 'recurrence', 'stream', 'reconciler', 'direct']

/** British, American and Australian readers each have names for their own zones only; the rest are offsets. */
const LOCALES = ['en-GB', 'en-US', 'en-AU']

const zoneName = (at: string, zone: string): string => {
  const names = LOCALES.map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' })
        .formatToParts(new Date(at))
        .find(({ type }) => type === 'timeZoneName')?.value ?? zone,
  )
  return names.find((name) => !/[+-]\d/.test(name)) ?? names[0]!
}

const dayOf = ({ at, zone }: AgendaEntry): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
    .format(new Date(at))
    .replace(',', '')

/** `2026-04-21T09:00:00+01:00` → `09:00`, with the seconds where there are any. */
const timeOf = (local: string): string => local.slice(11, local.slice(17, 19) === '00' ? 16 : 19)

const theirs = ({ at, local, zone, schedule }: AgendaEntry): string =>
  `${timeOf(schedule?.local ?? local)} ${zoneName(at, schedule?.zone ?? zone)}`

const COLUMNS: readonly Column<AgendaEntry>[] = [
  { title: 'WHEN', text: theirs },
  { title: 'HERE', text: ({ local }) => `${timeOf(local)} here` },
  { title: 'WHAT', text: ({ what }) => plainText(what) },
  { title: 'FROM', text: ({ source }) => source.kind },
  { title: 'RULE', text: ({ schedule, source }) => plainText(schedule?.words ?? source.id) },
]

const lineOf =
  ({ terminal }: Session, widths: readonly number[]) =>
  (entry: AgendaEntry): readonly string[] => {
    const cells = COLUMNS.map(({ text }, index) => text(entry).padEnd(widths[index]!))
    const line = `  ${cells.join('  ').trimEnd()}`
    const shown = entry.paused ? terminal.style('dim', `${line}  ‖ paused`) : line
    return [shown, ...(entry.mark ? [terminal.style('yellow', `    ⌁ ${entry.mark.text}`)] : [])]
  }

const daysOf = (session: Session, entries: readonly AgendaEntry[]): readonly string[] => {
  const widths = COLUMNS.map(({ text }) => Math.max(0, ...entries.map((entry) => text(entry).length)))
  return [...Map.groupBy(entries, dayOf)].flatMap(([day, those]) => [
    session.terminal.style('bold', day),
    ...those.flatMap(lineOf(session, widths)),
  ])
}

const daysAsked = ({ options }: Session): number => {
  const days = Number(options['days'])
  if (Number.isInteger(days) && days > 0 && days <= MAX_DAYS) return days
  throw new PawlError('invalid_option', `--days is “${String(options['days']).slice(0, 80)}”`, {
    path: '--days',
    expected: `a whole number up to ${MAX_DAYS}`,
  })
}

const textOption = ({ options }: Session, name: string) => options[name] as string | undefined

const filterOf = (session: Session) => ({
  zone: textOption(session, 'tz') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  kind: textOption(session, 'kind'),
  definition: textOption(session, 'definition'),
  ...(session.options['paused'] === false && { paused: 'false' }),
})

/** What there is behind an empty page: an agenda that is empty may be right, or may be wrong. */
const sayNothing = async (session: Session, days: number, to: number): Promise<void> => {
  const client = await session.client()
  const range = { from: new Date(to).toISOString(), to: new Date(to + YEAR_MS).toISOString() }
  const { data } = await client.agenda({ ...filterOf(session), ...range }).page({ limit: 1 })
  const [next] = data
  const later = next ? `Next: ${plainText(next.what)} on ${dayOf(next)}.` : 'Nor in the year after.'
  session.terminal.say(`Nothing is due in the next ${days === 1 ? 'day' : `${days} days`}. ${later}`)
}

const agenda = async (session: Session): Promise<void> => {
  const { output, terminal } = session
  const days = daysAsked(session)
  const client = await session.client()
  const given = textOption(session, 'from')
  // The server's clock may be another, and virtual: without a beginning it is the server that says when now is.
  const { now } = (await client.request({ path: '/v1/clock' })).body as unknown as { readonly now: string }
  const from = parseInstant(given ?? now)
  const to = from + days * DAY_MS
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const entries: AgendaEntry[] = []
  let isMore = false
  for await (const entry of client.agenda({ ...filterOf(session), ...range })) {
    isMore = entries.length === MOST && session.options['all'] !== true
    if (isMore) break
    entries.push(entry)
  }
  if (output.isJson) output.rows(entries, COLUMNS)
  else for (const line of daysOf(session, entries)) terminal.print(line)
  if (entries.length === 0) await sayNothing(session, days, to)
  if (isMore) terminal.say(terminal.style('dim', `the first ${MOST}; --all shows all, --days fewer days`))
}

export const addAgenda = (program: Command): void => {
  const command = remote(sub(program, 'agenda', 'What will happen, day by day'))
    .option('--days <n>', 'for so many days', '7')
    .option('--from <instant>', 'from then on; default now')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(KINDS))
    .option('--definition <id>', 'only of this definition, or of this recurrence')
    .option('--no-paused', 'without what stands still')
    .option('--all', `more than ${MOST}`)
    .action(run(agenda))
  examples(command, 'pawl agenda --days 3', 'pawl agenda --kind recurrence --tz Europe/Berlin')
}
