// Owns how an action is shown: a row of a table, or lines with its attempts.

import type { Action } from '../client/resources.ts'
import { marked } from './marks.ts'
import { type Column, plainText } from './output.ts'
import type { Session } from './session.ts'

export const actionColumns = ({ terminal, when }: Session): readonly Column<Action>[] => [
  { title: 'STATUS', text: ({ shown }) => marked(terminal, shown) },
  { title: 'ID', text: ({ id }) => id },
  { title: 'TYPE', text: ({ type }) => plainText(type) },
  { title: 'NAME', text: ({ summary, name }) => plainText(summary ?? name) },
  { title: 'FROM', text: ({ source }) => plainText(`${source.kind} ${source.id}`) },
  { title: 'TRY', text: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}` },
  { title: 'DUE', text: ({ dueAt }) => when(dueAt) },
]

const attemptLines = ({ terminal, when }: Session, { attempts }: Action): readonly string[] =>
  attempts.map(({ number, outcome, startedAt, error }) => {
    const reason = error === undefined ? '' : `  ${error.type}: ${plainText(error.message)}`
    return `  ${marked(terminal, outcome)}  attempt ${number}, ${when(startedAt)}${reason}`
  })

const actionLines = (session: Session, action: Action): readonly string[] => {
  const { terminal, when } = session
  const { id, type, name, shown, dueAt, executionId, error, result, idempotencyKey } = action
  return [
    `${terminal.style('bold', id)}  ${plainText(type)} ${plainText(name)}  ${marked(terminal, shown)}`,
    `  due        ${when(dueAt)}`,
    ...(executionId === undefined ? [] : [`  execution  ${executionId}`]),
    `  key        ${idempotencyKey}`,
    `  config     ${plainText(JSON.stringify(action.config))}`,
    ...(result === undefined ? [] : [`  result     ${plainText(JSON.stringify(result))}`]),
    ...(error === undefined ? [] : [`  error      ${error.type}: ${plainText(error.message)}`]),
    ...attemptLines(session, action),
  ]
}

export const showAction = (session: Session, action: Action): void =>
  session.output.one(action, () => actionLines(session, action))
