// Owns `pawl status`: does anything need a person, and how is it going. What needs one comes first, each with the command
// that shows more.

import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import type { DeadGroup } from '../client/resources.ts'
import { isObject, type JsonObject, own } from '../core/json.ts'
import { examples, remote, run, sub } from './command.ts'
import { plainText } from './output.ts'
import type { Session } from './session.ts'

interface Need {
  readonly text: string
  readonly command: string
}

interface Status {
  readonly needs: readonly Need[]
  readonly counts: JsonObject
  readonly workers: number
}

const MOST = 10

/** A part the server does not serve yet is no reason to say nothing. */
const orNothing = async <Value>(asked: Promise<Value>, nothing: Value): Promise<Value> =>
  asked.catch(() => nothing)

const deadNeeds = (groups: readonly DeadGroup[]): readonly Need[] =>
  groups.slice(0, MOST).map(({ id, count, errorType, actionType }) => ({
    text: `${count} dead letter${count === 1 ? '' : 's'}: ${errorType} (${actionType})`,
    command: `pawl dead show ${id}`,
  }))

const reviewNeeds = (count: number): readonly Need[] =>
  count === 0
    ? []
    : [
        {
          text: `${count} in review: nobody knows what happened`,
          command: 'pawl actions list --status review',
        },
      ]

const number = (counts: JsonObject, table: string, status: string): number =>
  Number(own(own(counts, table), status) ?? 0)

const workerNeeds = (workers: number, waiting: number): readonly Need[] =>
  workers > 0 || waiting === 0
    ? []
    : [{ text: `no worker is at work, and ${waiting} actions wait`, command: 'pawl worker' }]

const statusOf = async (client: Client): Promise<Status> => {
  const stats = await client.stats()
  const counts = isObject(stats['counts']) ? stats['counts'] : stats
  const nothing = { data: [], page: { hasMore: false } }
  const groups = await orNothing(client.dead.groups().page(), nothing)
  const workers = (await orNothing(client.workers().page(), nothing)).data.length
  const needs = [
    ...deadNeeds(groups.data),
    ...reviewNeeds(number(counts, 'actions', 'review')),
    ...workerNeeds(workers, number(counts, 'actions', 'queued')),
  ]
  return { needs, counts, workers }
}

const lines = ({ terminal }: Session, { needs, counts, workers }: Status): readonly string[] => {
  const head =
    needs.length === 0
      ? `${terminal.style('green', '✓')} nothing needs you`
      : `${terminal.style('red', '✕')} ${needs.length} thing${needs.length === 1 ? '' : 's'} need${needs.length === 1 ? 's' : ''} you`
  const shown = ['queued', 'running', 'succeeded', 'dead', 'review']
  const numbers = shown.map((status) => `${status} ${number(counts, 'actions', status)}`)
  return [
    head,
    ...needs.map(
      ({ text, command }) => `  ◆ ${plainText(text).padEnd(60)}  ${terminal.style('dim', command)}`,
    ),
    '',
    `  ${numbers.join('   ')}   executions active ${number(counts, 'executions', 'active')}   workers ${workers}`,
  ]
}

const status = async (session: Session): Promise<void> => {
  const found = await statusOf(await session.client())
  session.output.one(found, () => lines(session, found))
}

export const addStatus = (program: Command): void => {
  const command = remote(sub(program, 'status', 'Does anything need you?')).action(run(status))
  examples(command, 'pawl status', 'pawl status --json needs')
}
