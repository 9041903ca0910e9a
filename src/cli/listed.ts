// Owns lists in commands: one page, or all of it with `--all`; and the hint that there is more.

import type { Command } from 'commander'
import type { Listing } from '../client/listing.ts'
import { PawlError } from '../core/errors.ts'
import type { Column } from './output.ts'
import type { Session } from './session.ts'

export const paged = (command: Command): Command =>
  command
    .option('--limit <n>', 'how many at most', '50')
    .option('--after <cursor>', 'go on after this page')
    .option('--all', 'all pages')

const limitOf = ({ options }: Session): number => {
  const limit = Number(options['limit'] ?? 50)
  if (Number.isInteger(limit) && limit > 0 && limit <= 250) return limit
  throw new PawlError('invalid_option', `--limit is “${String(options['limit'])}”`, {
    expected: '1 to 250, or --all',
  })
}

export const showList = async <Row extends object>(
  session: Session,
  listing: Listing<Row>,
  columns: readonly Column<Row>[],
  nothing: string,
): Promise<void> => {
  const { output, options, terminal } = session
  if (options['all'] === true) {
    const all: Row[] = []
    for await (const row of listing) all.push(row)
    output.rows(all, columns)
    return
  }
  const after = options['after'] as string | undefined
  const { data, page } = await listing.page({
    limit: limitOf(session),
    ...(after !== undefined && { after }),
  })
  output.rows(data, columns)
  if (data.length === 0) terminal.say(nothing)
  if (page?.hasMore) terminal.say(terminal.style('dim', `there is more: --after ${page.next}, or --all`))
}
