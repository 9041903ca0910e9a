// Owns telling an execution's history in plain sentences: what came in, what it led to, what was tried and what came of
// it, with the times of the engine's clock. It holds no id that is drawn, so a snapshot of it stays true.
// Y1  The order is that of the chain; attempts stand after the step that asked for them and before the one they led to.

import { PawlError } from '../core/errors.ts'
import type { Pawl } from '../pawl/surface.ts'
import type { ActionView } from '../pawl/views.ts'
import type { HistoryRow, Page } from '../store/reader.ts'
import { instant, type Told, tellAttempts, tellNow, tellRow } from './story-words.ts'

const PAGE = 250

const allOf = async <Row>(read: (page: { limit: number; after?: string }) => Promise<Page<Row>>) => {
  const rows: Row[] = []
  let after: string | undefined
  do {
    const page = await read({ limit: PAGE, ...(after !== undefined && { after }) })
    rows.push(...page.data)
    after = page.next
  } while (after !== undefined)
  return rows
}

const idsIn = ({ data }: HistoryRow): readonly string[] =>
  ((data['actions'] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id)

const settledBy = ({ data }: HistoryRow): string | undefined =>
  (data['settled'] as { readonly action: string } | undefined)?.action

interface Pending extends Told {
  readonly action: string
}

/** Y1. */
const inOrder = (
  history: readonly HistoryRow[],
  actions: ReadonlyMap<string, ActionView>,
): readonly Told[] => {
  const told: Told[] = []
  let pending: readonly Pending[] = []
  const release = (isDue: (line: Pending) => boolean): void => {
    told.push(...pending.filter(isDue).toSorted((a, b) => a.at - b.at))
    pending = pending.filter((line) => !isDue(line))
  }
  for (const row of history) {
    const cause = settledBy(row)
    release(({ at, action }) => at < row.at || (at === row.at && action === cause))
    told.push(...tellRow(row, actions))
    const asked = idsIn(row).flatMap((id) => actions.get(id) ?? [])
    pending = [
      ...pending,
      ...asked.flatMap((action) => tellAttempts(action).map((line) => ({ ...line, action: action.id }))),
    ]
  }
  release(() => true)
  return told
}

/** The last line says where it stands. */
export const story = async (
  pawl: Pick<Pawl, 'executions' | 'actions'>,
  executionId: string,
): Promise<string> => {
  const execution = await pawl.executions.get(executionId)
  if (execution === undefined)
    throw new PawlError('execution_not_found', `there is no execution “${executionId.slice(0, 80)}”`, {
      path: 'execution',
    })
  const history = await allOf((page) => pawl.executions.history(executionId, page))
  const listed = await allOf((page) => pawl.actions.list({ execution: executionId }, page))
  const actions = new Map<string, ActionView>()
  for (const { id } of listed) {
    const action = await pawl.actions.get(id)
    if (action !== undefined) actions.set(id, action)
  }
  const told = inOrder(history, actions)
  const width = Math.max(0, ...told.map(({ at }) => instant(at).length))
  const lines = told.map(({ at, text, isMore }) => `${(isMore ? '' : instant(at)).padEnd(width)}  ${text}`)
  return [`${execution.definition} ${execution.id}`, ...lines, tellNow(execution, actions)].join('\n')
}
